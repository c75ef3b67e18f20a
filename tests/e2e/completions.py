"""What real shells complete on a command line."""
# `load` is a statement that loads the completion of the first word. Words are those of bash: '=' is one of its own.
BASH = """
eval "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
$(complete -p "$1" | sed 's/.* -F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""
# A key prints the line as it is.
ZSHRC = """
autoload -Uz compinit
compinit -u -D
show() { print -r -- "<$BUFFER>"; exit }
zle -N show
bindkey '^T' show
unsetopt beep
"""


def in_bash(load: str, *words: str) -> list[str]:
    """The command that prints what bash offers for the last word."""
    return ["bash", "--norc", "-c", BASH, "bash", load, *words]


def in_zsh(line: str) -> list[str]:
    """The command that prints, between '<' and '>', what the line becomes in zsh by the key Tab. Needs util-linux's script(1)."""
    return ["sh", "-ec", 'ZDOTDIR=$(mktemp -d); export ZDOTDIR; printf %s "$1" >"$ZDOTDIR/.zshrc"; printf "%s\\t\\024" "$2" >"$ZDOTDIR/keys"; '
            'TERM=dumb script --quiet --return --command "zsh -i" /dev/null <"$ZDOTDIR/keys"; rm -r "$ZDOTDIR"', "sh", ZSHRC, line]
