//! Records that name no character set: two names are all there is to guess from.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, SHIFT_JIS};
use honinbo_record::read_sgf;

#[test]
fn names_of_professionals_are_read_as_they_were_written() {
    for (encoding, black, white) in [
        // The first two were taken for Korean.
        (GB18030, "邱峻", "柯洁"),
        (GB18030, "柯洁", "古力"),
        (GB18030, "常昊", "马晓春"),
        (GB18030, "聂卫平", "陈耀烨"),
        (BIG5, "周俊勳", "王立誠"),
        (BIG5, "張栩", "林海峰"),
        (EUC_KR, "이창호", "이세돌"),
        (EUC_KR, "박정환", "신진서"),
        (EUC_KR, "조훈현", "서봉수"),
        (EUC_KR, "최철한", "목진석"),
        (EUC_JP, "井山裕太", "芝野虎丸"),
        (EUC_JP, "呉清源", "高川格"),
        (SHIFT_JIS, "井山裕太", "芝野虎丸"),
    ] {
        let sgf = format!("(;GM[1]FF[4]SZ[19]PB[{black}]PW[{white}]KM[6.5]RE[B+R];B[pd];W[dd];B[pp];W[dp];B[qf])");
        let read = read_sgf(&encoding.encode(&sgf).0);
        assert_eq!(read.games[0].tree.to_sgf(), sgf, "{black} – {white} as {}", read.charset.name());
    }
}
