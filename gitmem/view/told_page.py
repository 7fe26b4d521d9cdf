"""What conversations were given of the memory: when, on what occasion, how much."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from gitmem.actions.context.log import Delivery, deliveries_since
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.lookup import session_of_conversation
from gitmem.workspace import Workspace

_DAYS = 30
_MOST = 60
"""Conversations that are shown."""


@frozen
class InformedConversation:
    client_id: str
    session: Session | None
    deliveries: list[Delivery]

    @property
    def tokens(self) -> int:
        return sum(delivery.tokens for delivery in self.deliveries)


def values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    since = workspace.now() - timedelta(days=_DAYS)
    workspace.current_sessions()
    by_client_id = deliveries_since(workspace, since)
    newest = sorted(by_client_id.items(), key=lambda item: item[1][-1].at, reverse=True)
    conversations = [
        InformedConversation(client_id, _session(workspace, client_id), deliveries)
        for client_id, deliveries in newest[:_MOST]
    ]
    return {
        "conversations": conversations,
        "hidden": len(newest) - len(conversations),
        "days": _DAYS,
        "tokens": sum(conversation.tokens for conversation in conversations),
    }


def _session(workspace: Workspace, client_id: str) -> Session | None:
    try:
        return session_of_conversation(workspace, client_id)
    except GitmemError:  # two sessions have the id
        return None
