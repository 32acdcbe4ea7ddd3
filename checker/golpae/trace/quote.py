"""The user's words inside a message.

Input: any text of a trace or of a command line. Output: the text between backticks. Guarantee: it is one line,
printable on any UTF-8 terminal and of bounded length, so that no trace can garble a report.
"""

_LONGEST = 60


def quoted(text: str) -> str:
    """Return `text` between backticks; characters that cannot be printed are escaped, a long text is cut.

    A tab becomes ``\\t``, an escape character ``\\x1b``; a backtick becomes an apostrophe.
    """
    cut = text[:_LONGEST]
    if not cut.isprintable():
        cut = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)
    end = "…" if len(text) > _LONGEST else ""
    return "`" + cut.replace("`", "'") + end + "`"
