# -*- coding: utf-8 -*-
"""Start Companion (``python run.py``), back its tables up (``… backup FILE``), see whether phones can come
(``… doctor``), or test it (``… test``).

The first start makes an environment beside this file from a lock with hashes; later starts only look at its stamp.
An old Python can read this file too, so that it can say what it lacks.
"""

from __future__ import print_function

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
OLDEST = (3, 11)
PACKAGES = os.path.join(HERE, "packages")  # games installed here outlive the environments
WINDOWS = os.name == "nt"
PLAY = (".venv", "requirements.lock")
TEST = (".venv-test", "requirements-test.lock")
STAMP = "companion-stamp"
NO_NETWORK = re.compile(
    "NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|Max retries|Connection"
    "(Error| refused| reset| aborted| to .* timed out)|[Nn]etwork is unreachable|Temporary failure in name|getaddrinfo"
)


class Unready(Exception):
    """Say in one English and one Spanish sentence why nothing can start."""

    def __init__(self, english, spanish):
        Exception.__init__(self, speak(english, spanish))


def speak(english, spanish):
    """Choose the language of this computer."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return spanish if os.environ[name].lower().startswith("es") else english
    if WINDOWS:
        import ctypes

        return spanish if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x0A else english
    return english


def environment(name, lock):
    """Return the Python of an environment made from a lock; make it again if it is missing, half made or outdated.

    Raises Unready when it can not be made.
    """
    folder = os.path.join(HERE, name)
    python = os.path.join(folder, "Scripts", "python.exe") if WINDOWS else os.path.join(folder, "bin", "python")
    lock = os.path.join(HERE, lock)
    stamp = os.path.join(folder, STAMP)
    wanted = stamp_of(lock)
    if is_ready(python, stamp, wanted):
        return python
    try:
        with open(folder + ".lock", "w") as turn:
            wait_for_turn(turn)
            if not is_ready(python, stamp, wanted):
                make(folder, python, lock)
                with open(stamp, "w") as file:
                    file.write(wanted)
    except EnvironmentError as wrong:
        raise Unready(
            "Companion can not write its environment in %s (%s): copy Companion to a folder of yours and start it "
            "there; --data only chooses where the tables are kept." % (HERE, wrong.strerror),
            "Companion no puede escribir su entorno en %s (%s): copia Companion a una carpeta tuya y arráncalo allí; "
            "--data solo elige dónde se guardan las mesas." % (HERE, wrong.strerror),
        )
    return python


def stamp_of(lock):
    """Return what an environment depends on: the lock, the version and place of Python, this folder."""
    with open(lock, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return "\n".join([digest, "%d.%d" % sys.version_info[:2], sys.base_prefix, HERE])


def is_ready(python, stamp, wanted):
    """Tell whether an environment is whole and up to date: its stamp is written last."""
    try:
        with open(stamp) as file:
            return file.read() == wanted and os.path.exists(python)
    except EnvironmentError:
        return False


def wait_for_turn(file):
    """Wait while another start makes the same environment; the turn ends with the file or the process."""
    if WINDOWS:
        import msvcrt

        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError as wrong:
                if wrong.errno != 36:  # EDEADLOCK: it tried for ten seconds
                    raise
    import fcntl

    return fcntl.flock(file, fcntl.LOCK_EX)


def make(folder, python, lock):
    """Make an environment, showing how far it is; raise Unready with the reason when it can not be made."""
    say("Making the environment %s (only this time) ...", "Preparando el entorno %s (solo esta vez) ...", folder)
    # Giving the environment a pip of its own takes longer than all the rest; the one beside this Python fills it too.
    if not (has_pip() and filled(folder, ["--without-pip"], [sys.executable, "-m", "pip", "--python", python], lock)):
        filled(folder, [], [python, "-m", "pip"], lock, last=True)


def has_pip():
    """Tell whether beside this Python there is a pip that can fill another environment, as it can since 22.3."""
    from importlib import metadata

    try:
        major, minor = metadata.version("pip").split(".")[:2]
        return (int(major), int(minor)) >= (22, 3)
    except (metadata.PackageNotFoundError, ValueError):
        return False


def filled(folder, how, pip, lock, last=False):
    """Make an environment and install what the lock says; False when it failed and this is not the ``last`` way."""
    shutil.rmtree(folder, ignore_errors=True)
    failed, told = run([sys.executable, "-m", "venv", folder] + how, lambda line: None)
    if failed:
        shutil.rmtree(folder, ignore_errors=True)
        if last:
            raise no_venv(told)
        return False
    with open(lock) as file:
        total = len(re.findall(r"^\w[^\n]*==", file.read(), re.M))
    count = [0]

    def show(line):
        if line.startswith("Collecting "):
            count[0] += 1
            progress(count[0], total, re.split("[ =<>]", line)[1])
        elif line.startswith("Installing collected"):
            progress(total, total, "")

    parts = ["--require-hashes", "--only-binary", ":all:", "--no-input", "--progress-bar", "off", "-r", lock]
    # What is started compiles itself, and of some packages that is little.
    failed, told = run(pip + ["install", "--no-compile"] + parts, show)
    if sys.stdout.isatty():
        print()
    if failed:
        shutil.rmtree(folder, ignore_errors=True)
        if last or NO_NETWORK.search(told):
            raise no_parts(told)
    return not failed


def run(command, hear):
    """Run a command, passing each line it says to ``hear``; return its exit code and all it said."""
    env = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_USER="0", PYTHONUTF8="1", PYTHONUNBUFFERED="1")
    env["PIP_RETRIES"] = "2"  # it tells of a network that is not there only when it tries again
    env.pop("PYTHONHOME", None)
    lines = []
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=env,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout:
            lines.append(line)
            hear(line)
    return process.returncode, "".join(lines)


def progress(done, total, part):
    """Show on one line of the terminal how many parts are there; a file gets no progress."""
    if sys.stdout.isatty():
        done = min(done, total)
        print("\r  [%-24s] %d/%d %-24.24s" % ("#" * (24 * done // total), done, total, part), end="")
        sys.stdout.flush()


def no_venv(told):
    """Say why Python could not make an empty environment."""
    if "ensurepip" in told or "No module named venv" in told:
        package = "python%d.%d-venv" % sys.version_info[:2]
        return Unready(
            "This Python can not make environments: install the package python3-venv (on Debian and Ubuntu: "
            "sudo apt install python3-venv, or %s) and start again." % package,
            "Este Python no sabe crear entornos: instala el paquete python3-venv (en Debian y Ubuntu: "
            "sudo apt install python3-venv, o %s) y arranca de nuevo." % package,
        )
    return Unready(
        "The environment could not be made in %s: %s" % (HERE, last_line(told)),
        "No se ha podido crear el entorno en %s: %s" % (HERE, last_line(told)),
    )


def no_parts(told):
    """Say why the parts of an environment could not be installed."""
    if NO_NETWORK.search(told):
        return Unready(
            "There is no network, and the first start needs it once to fetch its parts: connect to the internet and "
            "start again; after that Companion needs none.",
            "No hay red, y el primer arranque la necesita una vez para traer sus piezas: conéctate a internet y "
            "arranca de nuevo; después Companion no la necesita.",
        )
    if "No matching distribution" in told:
        here = "Python %d.%d, %s" % (sys.version_info[0], sys.version_info[1], sys.platform)
        return Unready(
            "There are no ready-made parts for this Python (%s): install another version from 3.11 up." % here,
            "No hay piezas ya hechas para este Python (%s): instala otra versión desde la 3.11." % here,
        )
    return Unready(
        "The parts could not be installed: %s" % last_line(told),
        "No se han podido instalar las piezas: %s" % last_line(told),
    )


def last_line(told):
    """Return the last line that names an error, else the last line."""
    lines = [line.strip() for line in told.splitlines() if line.strip()] or ["?"]
    return ([line for line in lines if "rror" in line] or lines)[-1]


def start(command, env):
    """Become another program; return its exit code where a program can not be replaced."""
    sys.stdout.flush()
    if not WINDOWS:
        os.execve(command[0], command, env)
    signal.signal(signal.SIGBREAK, lambda number, frame: None)  # Ctrl-Break is for the program, as Ctrl-C below
    with subprocess.Popen(command, env=env) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the program hears Ctrl-C too, and stops in its own way


def command_for(arguments):
    """Return the command line and the environment variables that the arguments ask for."""
    env = dict(os.environ)
    env["PYTHONPATH"] = os.pathsep.join([HERE, PACKAGES] + [path for path in [env.get("PYTHONPATH")] if path])
    env.pop("__PYVENV_LAUNCHER__", None)
    if arguments[:1] == ["test"]:
        os.chdir(HERE)
        every_core = ["-n", "auto", "--dist", "worksteal"]
        return [environment(*TEST), "-m", "pytest"] + every_core + arguments[1:], env
    kept = [] if any(a.split("=")[0] == "--data" for a in arguments) else ["--data", os.path.join(HERE, "instance")]
    return [environment(*PLAY), "-P", "-m", "companion"] + kept + arguments, env


def say_help():
    """Print what Companion can be told; the program that it starts prints the same text."""
    with open(os.path.join(HERE, "companion", speak("help.en.txt", "help.es.txt")), "rb") as file:
        print(file.read().decode("utf-8"), end="")
    sys.stdout.flush()


def version():
    """Read the version where the program has it."""
    with open(os.path.join(HERE, "companion", "web", "api", "openapi.py"), "rb") as file:
        return re.search(r'^VERSION = "([^"]+)"', file.read().decode("utf-8"), re.M).group(1)


def say(english, spanish, *facts):
    """Print a sentence in the language of this computer."""
    print(speak(english, spanish) % facts)
    sys.stdout.flush()


def main(arguments):
    """Start what the arguments ask for; return the exit code, 2 when a sentence says why nothing starts."""
    if sys.version_info < OLDEST:
        here = "%d.%d" % sys.version_info[:2]
        say(
            "Companion needs Python 3.11 or newer, and this is %s: get one from python.org and start again.",
            "Companion necesita Python 3.11 o posterior, y este es el %s: instala uno de python.org y prueba otra vez.",
            here,
        )
        return 2
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if arguments[:1] != ["test"] and ("-h" in arguments or "--help" in arguments):
        say_help()
        return 0
    if arguments[:1] != ["test"] and "--version" in arguments:
        print("Companion %s" % version())
        return 0
    try:
        return start(*command_for(arguments))
    except Unready as why:
        print(why, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print()
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
