"""The pages of the host: the codes that bring phones in, the Wi-Fi, and what to do where phones do not come."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec
from flask import Blueprint, current_app, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.table.problem import Problem
from companion.web import wifi
from companion.web.address_qr import origin, qr_for_phones, qr_svg
from companion.web.guard import FOLDER
from companion.web.host import check_host, is_host
from companion.web.network.adapters import Kind
from companion.web.network.check import Listening, arrival, candidates, findings, is_loopback, is_recent
from companion.web.network.surroundings import Around
from companion.web.problems import status_of
from companion.web.state import app_state

host_pages = Blueprint("host_pages", __name__, url_prefix="/host")
host_pages.add_app_template_global(is_host)
host_pages.add_app_template_global(wifi.kept_wifi)
host_pages.add_app_template_global(wifi.wifi_qr)


class WayIn(msgspec.Struct, frozen=True):
    """An address that phones may come by: its adapter, what it is, its code, and whether one came by it just now."""

    address: str
    adapter: str
    kind: Kind
    qr: Markup
    came: bool


@host_pages.before_app_request
def note_arrival() -> None:
    """Note who comes from another device: behind a proxy all come from one address, so what they opened tells it."""
    name = urlsplit(f"//{request.host}").hostname or ""
    # The laptop itself may open its address of the network, without the key in another browser.
    laptop = is_loopback(name) or name == request.remote_addr or is_host() or request.endpoint == "host.take_key"
    if name and not laptop:
        app_state().arrivals.note(name)


@host_pages.get("")
def overview() -> str:
    """Show the two codes that bring a phone in: that of the Wi-Fi, and that of Companion."""
    check_host()
    address = origin()
    others = [one for one in _ways_in() if one.address != address]
    return render_template("host/overview.html", address=address, qr=qr_for_phones(address), others=others)


@host_pages.get("/wifi")
def wifi_form(wrong: Problem | None = None) -> Response:
    """Show the form of the Wi-Fi, filled in with what is kept, or what this computer is in."""
    check_host()
    kept = wifi.kept_wifi()
    typed = kept or wifi.Wifi(app_state().surroundings().wifi)
    page = render_template(
        "host/wifi.html",
        kept=kept,
        name=request.form.get("name", typed.name),
        password=request.form.get("password", typed.password),
        security=request.form.get("security", typed.security),
        hidden=request.form.get("hidden") == "1" if request.form else typed.hidden,
        securities=wifi.SECURITIES,
        wrong_about=wrong,
    )
    return make_response(page, status_of(wrong))


@host_pages.post("/wifi")
def keep() -> Response:
    """Keep the Wi-Fi that the host typed."""
    check_host()
    form = request.form
    hidden = form.get("hidden") == "1"
    try:
        typed = wifi.checked(form.get("name", ""), form.get("password", ""), form.get("security", "WPA"), hidden=hidden)
        wifi.keep_wifi(current_app.config[FOLDER], typed)
    except Problem as wrong:
        return wifi_form(wrong)
    return redirect(url_for("host_pages.overview"), 303)


@host_pages.post("/wifi/forget")
def forget() -> Response:
    """Delete the Wi-Fi that is kept."""
    check_host()
    try:
        wifi.forget_wifi(current_app.config[FOLDER])
    except Problem as wrong:
        return wifi_form(wrong)
    return redirect(url_for("host_pages.overview"), 303)


@host_pages.get("/wifi/forget")
def back_to_wifi() -> Response:
    """Lead to the form of the Wi-Fi from an address that only takes what is sent there."""
    return redirect(url_for("host_pages.wifi_form"), 303)


@host_pages.get("/phones")
def phones() -> str:
    """Show why phones may not come, and every address to be tried; the page asks again until one has come."""
    check_host()
    around, listening, since = app_state().surroundings(), _listening(), app_state().arrivals.since()
    kept = wifi.kept_wifi()
    return render_template(
        "host/phones.html",
        came=is_recent(since),
        findings=(arrival(since), *findings(around, listening, kept.name if kept else "")),
        ways_in=_ways_in(around, listening),
    )


def _listening() -> Listening:
    told = urlsplit(app_state().address).hostname or ""
    if listening := app_state().listening:
        return Listening(*listening, told, app_state().public, app_state().scheme)
    own = urlsplit(request.host_url)
    port = own.port or (443 if request.is_secure else 80)
    return Listening(told if is_loopback(told) else "", port, told, scheme=app_state().scheme)


def _ways_in(around: Around | None = None, listening: Listening | None = None) -> tuple[WayIn, ...]:
    around, listening = around or app_state().surroundings(), listening or _listening()
    arrivals = app_state().arrivals
    found = []
    if public := listening.public:
        came = is_recent(arrivals.since(urlsplit(public).hostname or ""))
        found.append(WayIn(public, "", "network", qr_svg(f"{public}/"), came))
    for one in candidates(around, listening):
        address = f"{listening.scheme}://{one.ip}:{listening.port}"
        came = is_recent(arrivals.since(one.ip))
        found.append(WayIn(address, one.adapter, one.kind, qr_svg(f"{address}/"), came))
    return tuple(found)
