"""Why the system refused to open, read or write a file.

Input: the error that Python raised. Output: the system's reason as part of a sentence, such as `permission denied`.
"""


def reason_of(fault: OSError) -> str:
    """Return the reason of a fault of the system, in small letters: `no space left on device`."""
    return (fault.strerror or str(fault)).lower()
