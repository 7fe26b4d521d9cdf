"""Ways out that several rows have."""

ASK_FOR_ACCESS = (
    "Ask whoever runs it for access. Who may only read gets what is new there."
)
CHECK_THE_PATH = "Is the URL right? Some hosts say the same of what one may not read."
ASK_OR_USE_A_BRANCH = (
    "The hooks and rules of the host decide what it takes; ask whoever runs it."
    " `ocm.remoteRef` names a branch to use there."
)
GIVE_A_PASSWORD = "At a terminal git asks for them; a credential helper keeps them."
CHECK_THE_NETWORK = "Is there a network, and the URL right? `git remote -v` shows it."
ALLOW_MORE = "Whoever runs it may allow more (nginx: client_max_body_size)."
SHOW_THE_REF = (
    "Does it hide the ref (uploadpack.hideRefs), do pushes go elsewhere (`git remote"
    " get-url --push`), or did a process leave a `.lock` file there?"
)
TRY_GIT = "`git ls-remote` with its name or URL shows whether git itself reaches it."
