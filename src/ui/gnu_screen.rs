//! GNU screen between us and the terminal: what it would not hand on by itself is wrapped for it.
//!
//! It writes nothing; it makes bytes of bytes.

/// So many bytes it takes at once; its own limit is a little below 768.
const PIECE: usize = 512;

/// Whether it stands between us and the terminal.
pub(super) fn is_between() -> bool {
    std::env::var_os("STY").is_some() && std::env::var_os("TMUX").is_none()
}

/// A sequence in the wrapping that it hands on, in pieces that it has room for: the rest of a longer one
/// it would write onto the screen as text.
pub(super) fn wrapped(sequence: &[u8]) -> Vec<u8> {
    // The end of a string would end the wrapping; a bell ends this sequence as well.
    let sequence = sequence.strip_suffix(b"\x1b\\").unwrap_or(sequence);
    let mut wrapped = Vec::new();
    for piece in sequence.chunks(PIECE).chain([&b"\x07"[..]]) {
        wrapped.extend_from_slice(b"\x1bP");
        wrapped.extend_from_slice(piece);
        wrapped.extend_from_slice(b"\x1b\\");
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_copy_goes_through_in_pieces_that_fit_and_ends_with_a_bell() {
        let copy = format!("\x1b]52;c;{}\x1b\\", "QUJD".repeat(400));
        let bytes = wrapped(copy.as_bytes());
        let text = String::from_utf8(bytes).expect("it is ASCII");
        let pieces: Vec<&str> = text.split_terminator("\x1b\\").collect();
        assert!(pieces.iter().all(|piece| piece.len() < 768 && piece.starts_with("\x1bP")));
        let inner: String = pieces.iter().map(|piece| &piece[2..]).collect();
        assert_eq!(inner, format!("{}\x07", copy.trim_end_matches("\x1b\\")));
    }
}
