"""What would leave if memory were shared, printed."""

from typing import TYPE_CHECKING

from gitmem.cli import output
from gitmem.cli.output import FAINT, HINT, ID, PATH, WARNING, Part
from gitmem.text.counting import counted, listed

if TYPE_CHECKING:
    from gitmem.actions.sharing.preview import Offer
    from gitmem.actions.sharing.share import Proposal
    from gitmem.actions.sharing.visibility import Place

_COLUMN = 15
_MOST_LISTED = 10


def say_offer(offer: "Offer", place: "Place", proposed: "Proposal") -> None:
    remote = proposed.sharing.remote
    output.say_whole(("Would be shared with ", "bold"), (place.url, PATH))
    if place.comes_from:
        say_line("comes from", (place.comes_from, PATH))
    say_line("sessions", _sessions(offer))
    if offer.authors:
        say_line("begun by", _people(offer))
    say_line("conversations", _conversations(offer, proposed))
    say_line("ref there", remote.refs[next(iter(remote.refs))])
    say_line("who reads it", _readers(place))
    if place.fork_of:
        say_line("fork", (f"of {place.fork_of}, it seems", WARNING))
    if offer.written_over:
        _say_mirror(offer, remote.name)
    _say_suspects(offer)
    _say_unread(offer)


def json_of_offer(
    offer: "Offer", place: "Place", proposed: "Proposal"
) -> dict[str, object]:
    remote = proposed.sharing.remote
    return {
        "remote": remote.name,
        "url": place.url,
        "comes_from": place.comes_from,
        "refs": dict(remote.refs),
        "public": place.is_public,
        "fork_of": place.fork_of,
        "sessions": offer.sessions,
        "since": str(offer.since) if offer.since else None,
        "authors": [{"name": name, "sessions": n} for name, n in offer.authors],
        "conversations": offer.conversations,
        "findings": [
            {"session_id": each.session_id, "rules": list(each.rules)}
            for each in offer.suspects
        ],
        "unread": list(offer.unread),
        "written_over": list(offer.written_over),
    }


def say_line(name: str, part: Part) -> None:
    output.say((f"{name:<{_COLUMN}}", FAINT), part)


def _sessions(offer: "Offer") -> str:
    if offer.since is None:
        return "none from here yet; those that are there come here"
    return f"{offer.sessions:,}, since {offer.since}, with all their earlier states"


def _people(offer: "Offer") -> str:
    people = [f"{name} ({count:,})" for name, count in offer.authors]
    return listed(people, _MOST_LISTED)


def _conversations(offer: "Offer", proposed: "Proposal") -> Part:
    if not proposed.chosen.with_conversations:
        return "stay here"
    return (f"{offer.conversations:,}, with all that was said", WARNING)


def _readers(place: "Place") -> Part:
    if place.is_public is None:
        return "not known"
    if place.is_public:
        return ("anybody: it is public", WARNING)
    return "nobody without an account"


def _say_mirror(offer: "Offer", name: str) -> None:
    from gitmem.store.remote.refspecs import to_leave_out

    refs = ", ".join(offer.written_over)
    say_line("git fetch", (f"writes over {refs} here, as in a mirror", WARNING))
    output.note(
        ("hint:", HINT),
        " What is not there yet comes back with the next command of ocm."
        f" `{to_leave_out(name, offer.written_over)}` ends that; `ocm sync` and"
        " `ocm pull` then bring memory.",
    )


def _say_suspects(offer: "Offer") -> None:
    if not offer.suspects:
        return
    found = counted(len(offer.suspects), "session")
    output.say((f"What looks like a secret is, or was, in {found}:", WARNING))
    for suspect in offer.suspects[:_MOST_LISTED]:
        output.say_whole("  ", (suspect.session_id, ID), "  ", ", ".join(suspect.rules))
    if (more := len(offer.suspects) - _MOST_LISTED) > 0:
        output.say(f"  and {more:,} more; --json lists all of them.")
    output.note(
        ("hint:", HINT),
        " `ocm show` shows a session as it is now. What it was before goes along as"
        " well; `ocm forget --history` takes all of it out.",
    )


def _say_unread(offer: "Offer") -> None:
    if not offer.unread:
        return
    found = counted(len(offer.unread), "session")
    output.say((f"Too long to be looked through, or not there, in {found}:", WARNING))
    for session_id in offer.unread[:_MOST_LISTED]:
        output.say_whole("  ", (session_id, ID))
    if (more := len(offer.unread) - _MOST_LISTED) > 0:
        output.say(f"  and {more:,} more; --json lists all of them.")
    output.note(("hint:", HINT), " `ocm doctor` says what is wrong with texts of now.")
