//! A booklet's own words.

use honinbo_rules::Topology;

/// The language of a booklet's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese in simplified characters.
    SimplifiedChinese,
    /// Chinese in traditional characters.
    TraditionalChinese,
    /// Japanese.
    Japanese,
    /// Korean.
    Korean,
}

/// The words of one language.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Words {
    pub(crate) black_to_play: &'static str,
    pub(crate) white_to_play: &'static str,
    /// That all edges of the board meet.
    #[serde(skip)]
    torus: &'static str,
    /// That left and right do.
    #[serde(skip)]
    cylinder: &'static str,
    pub(crate) solutions: &'static str,
    pub(crate) in_the_game: &'static str,
    /// With `×` for the moves.
    pub(crate) also_right: &'static str,
    pub(crate) right: &'static str,
    pub(crate) wrong: &'static str,
    pub(crate) unknown: &'static str,
    pub(crate) again: &'static str,
    pub(crate) show: &'static str,
    pub(crate) previous: &'static str,
    pub(crate) next: &'static str,
    pub(crate) board: &'static str,
    pub(crate) keys: &'static str,
    pub(crate) pass: &'static str,
}

impl Words {
    /// Which edges of a board meet; `None` on an ordinary one.
    pub(crate) fn edges(&self, topology: Topology) -> Option<&'static str> {
        match topology {
            Topology::Plane => None,
            Topology::Cylinder => Some(self.cylinder),
            Topology::Torus => Some(self.torus),
        }
    }
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::English, Self::SimplifiedChinese, Self::TraditionalChinese, Self::Japanese, Self::Korean];

    /// Its tag, as the window has it.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::SimplifiedChinese => "zh-Hans",
            Self::TraditionalChinese => "zh-Hant",
            Self::Japanese => "ja",
            Self::Korean => "ko",
        }
    }

    /// The language of a tag; English for one that is not known.
    #[must_use]
    pub fn of_tag(tag: &str) -> Self {
        Self::ALL.into_iter().find(|language| language.tag() == tag).unwrap_or_default()
    }

    pub(crate) fn words(self) -> Words {
        match self {
            Self::English => Words {
                black_to_play: "Black to play",
                white_to_play: "White to play",
                torus: "All edges meet.",
                cylinder: "The left and right edges meet.",
                solutions: "Solutions",
                in_the_game: "In the game: ×",
                also_right: "Also right: ×",
                right: "Right.",
                wrong: "Wrong.",
                unknown: "This move is not in the booklet.",
                again: "Again",
                show: "Show the solution",
                previous: "Previous",
                next: "Next",
                board: "Board",
                keys: "Arrow keys move the cursor, Enter plays, N and P go to the next and the previous position.",
                pass: "pass",
            },
            Self::SimplifiedChinese => Words {
                black_to_play: "黑先",
                white_to_play: "白先",
                torus: "棋盘上下左右相连。",
                cylinder: "棋盘左右相连。",
                solutions: "答案",
                in_the_game: "实战：×",
                also_right: "其他正解：×",
                right: "正解。",
                wrong: "失败。",
                unknown: "本册没有收录这手棋。",
                again: "重来",
                show: "显示答案",
                previous: "上一题",
                next: "下一题",
                board: "棋盘",
                keys: "方向键移动光标，Enter 落子，N 和 P 转到下一题和上一题。",
                pass: "停一手",
            },
            Self::TraditionalChinese => Words {
                black_to_play: "黑先",
                white_to_play: "白先",
                torus: "棋盤上下左右相連。",
                cylinder: "棋盤左右相連。",
                solutions: "答案",
                in_the_game: "實戰：×",
                also_right: "其他正解：×",
                right: "正解。",
                wrong: "失敗。",
                unknown: "本冊沒有收錄這手棋。",
                again: "重來",
                show: "顯示答案",
                previous: "上一題",
                next: "下一題",
                board: "棋盤",
                keys: "方向鍵移動游標，Enter 落子，N 和 P 轉到下一題和上一題。",
                pass: "虛手",
            },
            Self::Japanese => Words {
                black_to_play: "黒番",
                white_to_play: "白番",
                torus: "盤の上下左右の端がつながっています。",
                cylinder: "盤の左右の端がつながっています。",
                solutions: "解答",
                in_the_game: "実戦：×",
                also_right: "ほかの正解：×",
                right: "正解。",
                wrong: "失敗。",
                unknown: "この手は収録されていません。",
                again: "もう一度",
                show: "解答を見る",
                previous: "前の問題",
                next: "次の問題",
                board: "碁盤",
                keys: "矢印キーでカーソル移動、Enterで着手、NとPで次と前の問題へ。",
                pass: "パス",
            },
            Self::Korean => Words {
                black_to_play: "흑 차례",
                white_to_play: "백 차례",
                torus: "판의 네 가장자리가 서로 이어집니다.",
                cylinder: "판의 왼쪽과 오른쪽 가장자리가 이어집니다.",
                solutions: "정답",
                in_the_game: "실전: ×",
                also_right: "다른 정답: ×",
                right: "정답입니다.",
                wrong: "오답입니다.",
                unknown: "이 수는 책에 없습니다.",
                again: "다시",
                show: "정답 보기",
                previous: "이전 문제",
                next: "다음 문제",
                board: "바둑판",
                keys: "방향키로 커서를 옮기고 Enter로 둡니다. N과 P로 다음과 이전 문제로 갑니다.",
                pass: "한 수 쉬기",
            },
        }
    }
}
