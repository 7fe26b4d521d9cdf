"""Ways out that several rows have."""

ASK_FOR_ACCESS = (
    "Ask whoever runs it for access. Who may only read gets what is new there."
)
CHECK_THE_PATH = (
    "Is the URL right? `git remote -v` shows it. Some hosts say the same of what"
    " one may not read."
)
ASK_OR_USE_A_BRANCH = (
    "The hooks and rules of the host decide what it takes; ask whoever runs it."
    " `ocm.remoteRef` names a branch to use there."
)
LATER_OR_THE_LOG = (
    "Sync again later. If it stays so: its log says why; whoever runs it can read that."
)
TRUST_A_CERTIFICATE = (
    "Is the URL right, https or http? `http.sslCAInfo` in git's settings names a"
    " certificate to trust; whoever runs it says which."
)
CHECK_NETWORK_AND_PROXY = (
    "Is there a network, and the URL right? `git remote -v` shows it."
    " `http.proxy` may name a proxy that is not there."
)
NEXT_TIME = (
    "What is saved here is safe, and goes next time. If it stays so, ask whoever"
    " runs it."
)
GIVE_A_PASSWORD = (
    "At a terminal git asks for them; a credential helper keeps them (`git help"
    " credentials`)."
)
CHECK_THE_KEY = (
    "A key with a passphrase has to be unlocked before, by `ssh-add`; a new one"
    " has to be made known there. `ssh -v` shows which keys are tried."
)
LET_GIT_WRITE = (
    "Whoever runs it has to let git write there: is the disk full, or read-only?"
)
CHECK_THE_SCHEME = (
    "Is the URL right, https or http? Its log says why; whoever runs it can read that."
)
SEE_THE_PAGE = (
    "Is there a login or a proxy in between? A browser shows the page. Where"
    " files alone are served, push over ssh."
)
SEE_WHERE_IT_WENT = (
    "A login, or it has moved: a browser shows which. `git remote set-url`"
    " changes the URL."
)
RENEW_THE_TOKEN = (
    "A token may have expired; renew it where git has it from (`git config"
    " --show-origin credential.helper`, or the URL)."
)
TRUST_THE_FOLDER = (
    "If you trust it, run there: `git config --global --add safe.directory FOLDER`;"
    " on a server, ask its administrator."
)
NEWER_GIT = "Update git there; on a server, ask its administrator."
CHECK_THE_NETWORK = "Is there a network, and the URL right? `git remote -v` shows it."
USE_A_BRANCH = "`git config ocm.remoteRef refs/heads/ocm/sessions` uses a branch there."
ALLOW_LARGER_ONES = (
    "Whoever runs it can allow larger ones (nginx: client_max_body_size, Apache:"
    " LimitRequestBody)."
)
SHOW_THE_REF = (
    "Either it hides it (uploadpack.hideRefs, transfer.hideRefs): whoever runs"
    " it can show it. Or pushes go to another repository than fetches (`git"
    " remote get-url --push`). Or a process that died there left a lock."
)
NAME_THE_PROXY = (
    "`http.proxy` in git's settings, or the variable https_proxy, names the"
    " proxy, and the user and password that it may want."
)
SEE_WHAT_IS_PRINTED = (
    "`ssh` to its host shows it: a start file of the shell prints, which it must"
    " not where nobody sits at a terminal, or the account may not log in."
)
NAME_GIT_THERE = (
    "It has to be on the PATH of whoever logs in there by ssh; `receivepack` and"
    " `uploadpack` of the remote in git's settings name it elsewhere."
)
INSTALL_SSH = (
    "Is ssh installed? `core.sshCommand` in git's settings names another program."
)
ALLOW_THE_PROTOCOL = (
    "Is the URL right? What git allows is set by `protocol.allow`; see git-config(1)."
)
