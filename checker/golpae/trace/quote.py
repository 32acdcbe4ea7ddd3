"""The user's words inside a message.

Input: any text of a trace or of a command line. Output: the text between backticks. Guarantee: it is one line,
printable on any UTF-8 terminal and of bounded length, so that no trace can garble a report.
"""

_LONGEST = 60


def quoted(text: str) -> str:
    """Return `text` between backticks; characters that cannot be printed are escaped, a long text is cut.

    A tab becomes ``\\t``, an escape character ``\\x1b``; a backtick becomes an apostrophe.
    """
    from golpae.diagnostics.hidden import with_hidden  # a trace without faults quotes nothing

    cut = with_hidden(text[:_LONGEST], lambda c: c.encode("unicode_escape").decode("ascii"))
    end = "…" if len(text) > _LONGEST else ""
    return "`" + cut.replace("`", "'") + end + "`"
