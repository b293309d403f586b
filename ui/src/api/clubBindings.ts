// Written by `scripts/bindings` from crates/server and crates/rooms; never edited by hand.

/**  Whether somebody plays on. */
export type Attendance = 
/**  Is paired. */
"here" | 
/**  Is not paired until here again. */
"absent" | 
/**  Has left; before the first round as if never there. */
"gone";

export type Attending = {
	player?: number | null,
	name?: string | null,
	attendance: Attendance,
};

export type BackedUp = {
	/**  The name of the copy, in the folder `backups` beside the server's file. */
	file: string,
	bytes: number,
};

export type ChangedPairing = {
	round: number,
	one: number,
	other: number,
	change: PairingChange,
	/**  Whether people who have met may meet again. */
	rematch?: boolean,
};

/**  A line of chat. */
export type ChatLine = {
	/**  Who said it. */
	name: string,
	/**  What. */
	text: string,
};

export type ClubEntered = {
	token: string,
} & ClubMe;

export type ClubFacts = {
	guests: boolean,
	registration: Registration,
	/**  Whether everybody with an account has a window of their own. */
	boards: boolean,
	/**  The provider by which people log in, as it stands on the button. */
	provider?: string,
};

export type ClubInvitation = {
	room_id: string,
	from: string,
	/**  Into a lesson. */
	lesson: boolean,
	/**  What is played; `None` in a lesson. */
	terms: RoomTerms | null,
};

/**  How somebody can log in. */
export type ClubLinks = {
	password: boolean,
	linked: boolean,
	/**  Logging out at the provider is possible, too. */
	log_out_there: boolean,
};

/**  Whose token it is, and whether it is an operator's. */
export type ClubMe = {
	operator: boolean,
} & ClubPerson;

export type ClubPerson = {
	username: string,
	guest: boolean,
};

export type ClubPlayer = {
	ratings: ClubRating[],
} & ClubPerson;

/**  A rating on boards of one size. */
export type ClubRating = {
	width: number,
	height: number,
	rating: number,
	/**  The strength is within twice this much, with 95 %. */
	deviation: number,
	games: number,
	provisional: boolean,
};

export type ClubUser = {
	username: string,
	guest: boolean,
	/**  Rooms that the person is connected to. */
	rooms: number,
	ratings: ClubRating[],
};

export type Credentials = {
	username: string,
	password: string,
};

export type Deletion = {
	password?: string | null,
};

export type EnteredResult = {
	round: number,
	game: number,
	/**  Whom the game is taken to be of. */
	black?: number | null,
	white?: number | null,
	/**  `None` takes back what was said before, of a game that is still to be played. It has to be said. */
	result: PairingResult | null,
};

/**  What each side has. */
export type FinalScore = {
	/**  Black's points. */
	black: number,
	/**  White's points, komi included. */
	white: number,
};

export type FinishedGame = {
	id: number,
	black: string,
	white: string,
	width: number,
	height: number,
	moves: number,
	result: string,
	/**  Milliseconds since 1970. */
	ended: number,
};

export type FinishedGames = {
	games: FinishedGame[],
};

/**  A game to look through. */
export type GamePositions = {
	/**  Columns. */
	width: number,
	/**  Rows. */
	height: number,
	/**  As [`Terms::topology`](crate::Terms::topology). */
	topology: "plane" | "cylinder" | "torus",
	/**  The ruleset's name, as its record has it. */
	rules: string,
	/**  Points for White. */
	komi: number,
	/**  From the beginning to the end. */
	positions: ShownPosition[],
};

export type InvitationAnswer = {
	room_id: string,
};

export type Invitations = {
	invitations: ClubInvitation[],
};

export type Invite = {
	username: string,
	room_id?: string | null,
	/**  Of the room that is made where none is named. */
	room?: NewRoom,
};

export type Joining = {
	rank?: string | null,
};

/**  A move of the record: a stone, or a pass where there is no point. */
export type LessonContinuation = {
	/**  Column. */
	x?: number,
	/**  Row. */
	y?: number,
};

/**  Something that everybody in a lesson is told. */
export type LessonEvent = 
/**  Somebody came. */
{ kind: "came"; 
/**  Who. */
name: string; 
/**  As what. */
role: LessonRole } | 
/**  Somebody went. */
{ kind: "went"; 
/**  Who. */
name: string } | 
/**  Somebody has another role. */
{ kind: "role_given"; 
/**  Who. */
name: string; 
/**  Which. */
role: LessonRole } | 
/**  A student offers a variation. */
{ kind: "offered"; 
/**  Who. */
name: string; 
/**  Moves in it. */
moves: number } | 
/**  The teacher shows what somebody offered. */
{ kind: "offer_shown"; 
/**  Whose. */
name: string } | 
/**  The engine's opinion is shown, or hidden. */
{ kind: "engine_shown"; 
/**  Shown. */
on: boolean } | 
/**  Chat was switched on or off. */
{ kind: "chat_switched"; 
/**  Whether it is on now. */
on: boolean } | 
/**  The lesson has ended. */
{ kind: "finished" };

/**  Something drawn on a point. */
export type LessonMark = {
	/**  Column. */
	x: number,
	/**  Row. */
	y: number,
	/**  What; `None` for a label. */
	shape?: LessonShape,
	/**  A label of the record. */
	label?: string,
};

/**  A variation that a student offers. */
export type LessonOffer = {
	/**  Whose. */
	name: string,
	/**  The number of the move before its first. */
	after_move: number,
	/**  Its moves. */
	moves: number,
};

/**  The engine's opinion of a position, from Black's side. */
export type LessonOpinion = {
	/**  From 0 to 1. */
	black_win_prob: number,
	/**  Points. */
	black_lead: number,
	/**  Of the search. */
	visits: number,
	/**  Best first. */
	candidates: LessonOpinionMove[],
};

/**  A move that the engine looked at, from Black's side: a stone, or a pass where there is no point. */
export type LessonOpinionMove = {
	/**  Column. */
	x?: number,
	/**  Row. */
	y?: number,
	/**  From 0 to 1. */
	black_win_prob: number,
	/**  Points. */
	black_lead: number,
	/**  Of this move. */
	visits: number,
};

/**  Somebody in a lesson. */
export type LessonPerson = {
	/**  Who. */
	name: string,
	/**  As what. */
	role: LessonRole,
	/**  Whether that person is here now. */
	online: boolean,
};

export type LessonRecord = {
	id: number,
	title: string,
	teacher: string,
	moves: number,
	/**  Milliseconds since 1970. */
	ended: number,
};

export type LessonRecords = {
	records: LessonRecord[],
};

/**  What a client wants. Points count from 0 at the top left. */
export type LessonRequest = 
/**  The teacher places a stone on the board that all see: an existing continuation is followed, another becomes a variation. */
{ type: "play"; 
/**  Column. */
x: number; 
/**  Row. */
y: number } | 
/**  The teacher passes for the player to move. */
{ type: "pass" } | 
/**  The teacher goes so many moves on along the first continuations, or back where it is negative. */
{ type: "step"; 
/**  Moves. */
by: number } | 
/**  The teacher follows one of the continuations. */
{ type: "enter"; 
/**  Which, from 0, in the order of the state. */
index: number } | 
/**  The teacher goes to another move in the place of the last one. */
{ type: "sibling"; 
/**  So many further; negative goes back. */
by: number } | 
/**  The teacher takes the last move away, with everything after it. */
{ type: "remove" } | 
/**  The teacher points at a point; at none where it is missing. */
{ type: "point"; 
/**  Column. */
x?: number | null; 
/**  Row. */
y?: number | null } | 
/**  The teacher draws on a point; takes away what is there where no shape is named, or the same one again. */
{ type: "mark"; 
/**  Column. */
x: number; 
/**  Row. */
y: number; 
/**  What. */
shape?: LessonShape | null } | 
/**  The teacher writes about a position. */
{ type: "comment"; 
/**  What; nothing takes the comment away. */
text: string; 
/**
 *  Which position of the record, by [`LessonState::node`](crate::LessonState::node); the one that all see where it is
 *  missing.
 */
node?: number | null } | 
/**  The teacher shows or hides the engine's opinion. */
{ type: "engine"; 
/**  Shown. */
on: boolean } | 
/**  The teacher gives somebody another role. */
{ type: "role"; 
/**  Who. */
name: string; 
/**  Which; there is one teacher. */
role: LessonRole } | 
/**  The teacher says what those who come from now on are. */
{ type: "newcomers"; 
/**  Student or audience. */
role: LessonRole } | 
/**  Tries a move on a board of one's own, which begins at the position that all see. */
{ type: "try"; 
/**  Column; a pass where it is missing. */
x?: number | null; 
/**  Row. */
y?: number | null } | 
/**  Takes the last move back that one has tried. */
{ type: "try_back" } | 
/**  Puts the own board away and looks at what all see. */
{ type: "follow" } | 
/**  A student offers what was tried to all. */
{ type: "offer" } | 
/**  A student takes the offer back. */
{ type: "withdraw" } | 
/**  The teacher puts what somebody offers on the board that all see, as a variation of the record. */
{ type: "show_offer"; 
/**  Whose. */
name: string } | 
/**  The teacher puts an offer away. */
{ type: "dismiss_offer"; 
/**  Whose. */
name: string } | 
/**  The teacher or a student says something. */
{ type: "chat"; 
/**  What. */
text: string } | 
/**  The teacher switches chat on or off. */
{ type: "chat_switch"; 
/**  On or off. */
on: boolean } | 
/**  The teacher ends the lesson; it is kept with those who took part. */
{ type: "finish" } | 
/**  Asks how the lesson stands. */
{ type: "sync"; 
/**  As for a room: what was said is told too, unless nothing has come after that. */
after?: number | null };

/**  What somebody may do in a lesson. */
export type LessonRole = 
/**  Leads: the board that all see is this person's. */
"teacher" | 
/**  Tries moves on a board of their own, offers them to all, and talks. */
"student" | 
/**  Watches, and tries moves for themselves. */
"audience";

/**  What is drawn on a point. */
export type LessonShape = 
/**  `TR`. */
"triangle" | 
/**  `SQ`. */
"square" | 
/**  `CR`. */
"circle" | 
/**  `MA`. */
"cross";

/**  How a lesson stands, as everybody sees it. Points count from 0 at the top left. */
export type LessonState = {
	/**  What it is called. */
	title: string,
	/**  Who leads it. */
	teacher: string,
	/**  Black's and White's name in the record. */
	players: [string, string],
	/**  The board that all see, rows from the top: 0 empty, 1 black, 2 white. */
	board: number[][],
	/**  Who is to move. */
	turn: RoomColor,
	/**  As [`Terms::topology`](crate::Terms::topology). */
	topology: "plane" | "cylinder" | "torus",
	/**  The ruleset's name. */
	rules: string,
	/**  Points for White. */
	komi: number,
	/**  Moves up to the position. */
	move_number: number,
	/**  Moves that follow along the first continuations. */
	moves_ahead: number,
	/**  The point of the last move, if it was a stone. */
	last_move: [number, number] | null,
	/**  Moves that the record has here. */
	continuations: LessonContinuation[],
	/**  Which of the moves in this place the last one is, from 0, and how many there are. */
	variation: [number, number],
	/**  Which node of the record the position is: a number that no other node has, also after the server was started again. */
	node: number,
	/**  What the record says about the position. */
	comment: string,
	/**  What is drawn on the board. */
	marks: LessonMark[],
	/**  Where the teacher points. */
	pointer: [number, number] | null,
	/**  Whether the engine's opinion is shown. */
	engine: boolean,
	/**  The engine's opinion of the position, once there is one and as long as it is shown. */
	opinion: LessonOpinion | null,
	/**  Everybody who came, in the order they did. */
	people: LessonPerson[],
	/**  What students offer. */
	offers: LessonOffer[],
	/**  What those who come from now on are. */
	newcomers: LessonRole,
	/**  Whether people may talk. */
	chat_on: boolean,
	/**  Whether the teacher has ended it. */
	over: boolean,
};

/**  What happened in a lesson and how it stands after that. */
export type LessonUpdate = {
	/**  What happened; empty where only the board or the state is another. */
	events: LessonEvent[],
	/**  How things stand. */
	state: LessonState,
	/**  Only where everything is told: the last lines of chat. */
	chat?: ChatLine[],
};

export type LinkEnded = {
	return_to: string,
};

export type ListedLesson = {
	room_id: string,
	title: string,
	teacher: string,
	/**  People who are there. */
	online: number,
};

export type ListedLessons = {
	lessons: ListedLesson[],
};

export type ListedRoom = {
	room_id: string,
	stage: RoomStage,
	terms: RoomTerms,
	black: string | null,
	white: string | null,
	black_online: boolean,
	white_online: boolean,
	black_engine: boolean,
	white_engine: boolean,
	moves: number,
	spectators: number,
	open_seat: boolean,
};

/**  A tournament in the list. */
export type ListedTournament = {
	id: number,
	title: string,
	system: TournamentSystem,
	stage: TournamentStage,
	organiser: string,
	players: number,
	/**  Rounds that have been paired. */
	round: number,
	planned: number,
	/**  Whether whoever asks plays in it. */
	joined: boolean,
};

/**  All that the lobby shows. */
export type Lobby = RoomList & ListedLessons & TournamentList & OnlineUsers & Invitations;

/**  Somebody is logged out here; where the browser may go to log out at the provider. */
export type LoggedOut = {
	url?: string,
};

export type MadeCode = {
	code: string,
};

export type NewAccount = {
	username: string,
	password: string,
	code?: string | null,
};

/**  A lesson that somebody wants to give: on an empty board, about a finished game of one's own, or about a record. */
export type NewLesson = {
	title?: string,
	terms?: WantedRoomTerms,
	/**  The number of a finished game. */
	game?: number | null,
	sgf?: string | null,
	/**  The bytes of a record's file, in any character set that the reader knows. */
	sgf_base64?: string | null,
	/**  Everybody sees it. */
	listed?: boolean,
	/**  Those who come watch, until the teacher makes them students. */
	audience?: boolean,
};

export type NewPlayer = {
	username: string,
	rank?: string | null,
	/**  What the rounds are worth that this player has missed; no points where it is not said. */
	missed?: RestPoints | null,
};

/**  A room that somebody wants. */
export type NewRoom = {
	/**  What is played. */
	terms?: WantedRoomTerms,
	/**  The colour of whoever makes the room; drawn where it is not said. */
	color?: WantedColor | null,
	/**  An engine's level, rank or name; a person otherwise. */
	opponent?: string | null,
	/**  Everybody sees it. */
	listed?: boolean,
};

/**  What fits some terms. */
export type Offer = {
	/**  Sides of the boards that most games are played on. */
	sizes: number[],
	/**  The fewest columns or rows. */
	smallest_side: number,
	/**  The most columns or rows. */
	largest_side: number,
	/**  Names of rulesets, the most usual first. */
	rulesets: string[],
	/**  Points for White where nothing else is said. */
	komi: number,
	/**  Numbers of handicap stones that the board has places for. */
	handicaps: number[],
};

export type OnlineUsers = {
	users: ClubUser[],
};

/**  Somebody's own board. */
export type OwnBoard = {
	/**  Rows from the top. */
	board: number[][],
	/**  Who is to move. */
	turn: RoomColor,
	/**  The point of the last move, if it was a stone. */
	last_move: [number, number] | null,
	/**  The number of the move that it begins after. */
	after_move: number,
	/**  Moves that were tried. */
	moves: number,
};

/**  What is done with two players of a round. */
export type PairingChange = 
/**  Two who have no game get one. */
"pair" | 
/**  Each takes the other's place, whether that is a game or none; opponents exchange colours. */
"exchange" | 
/**  Two who have a game with each other have none. */
"unpair";

/**  How a game of a tournament ended. */
export type PairingResult = 
/**  Black has won. */
"black" | 
/**  White has won. */
"white" | 
/**  Half a point for each. */
"draw" | 
/**  Nothing for either, as when neither came. */
"both_lost";

export type PasswordChange = {
	old_password: string,
	new_password: string,
};

export type PasswordReset = {
	code: string,
	new_password: string,
};

export type ProviderLogout = {
	logout_token: string,
};

/**  Who may make an account. */
export type Registration = 
/**  Everybody who reaches the server. */
"open" | 
/**  Whoever has a code that the operator made. */
"invitation";

/**  What a round without a game is worth. */
export type RestPoints = 
/**  A point, as a win. */
"bye" | 
/**  Half a point. */
"half" | 
/**  None. */
"nothing";

export type Resting = {
	round: number,
	player: number,
	name?: string | null,
	/**  `None` takes back what was said before. */
	points?: RestPoints | null,
};

/**  The clocks at the moment of the message. */
export type RoomClock = {
	/**  Black's. */
	black: RoomTimeLeft,
	/**  White's. */
	white: RoomTimeLeft,
	/**  Whose clock runs. */
	running: RoomColor | null,
};

/**  A colour as a number: 1 for Black, 2 for White. */
export type RoomColor = 1 | 2;

/**  What the players are about to agree on. */
export type RoomCounting = {
	/**  Stones that are marked as dead. */
	dead: ([number, number])[],
	/**  The number of this marking; agreeing names it. */
	revision: number,
	/**  Whether it is as the engine proposes it. */
	proposed: boolean,
	/**  Who has agreed to it. */
	agreed: RoomColor[],
	/**
	 *  Seconds until the game is settled by it, where it is as the engine proposes it, one player agrees, and the other one
	 *  stays away.
	 */
	settled_in_seconds: number | null,
	/**  What the score is with them taken off. */
	score: FinalScore,
};

/**
 *  Something that everybody in a room is told. Points count from 0 at the top
 *  left.
 */
export type RoomEvent = 
/**  Somebody took a seat. */
({ kind: "seated"; 
/**  Which. */
color: RoomColor; 
/**  Who. */
name: string }) & { away?: never; moves?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  Somebody gave a seat up before the game began. */
({ kind: "left"; 
/**  Which. */
color: RoomColor }) & { away?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  Somebody for whom a seat was kept does not want it. */
({ kind: "declined"; 
/**  Who. */
name: string }) & { away?: never; color?: never; moves?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  A player came or went. */
({ kind: "presence"; 
/**  Which. */
color: RoomColor; 
/**  Whether the player is here now. */
online: boolean }) & { away?: never; moves?: never; name?: never; number?: never; on?: never; result?: never; x?: never; y?: never } | 
/**  The game has begun. */
({ kind: "started" }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  A stone was placed. */
({ kind: "move"; 
/**  Whose. */
color: RoomColor; 
/**  Column. */
x: number; 
/**  Row. */
y: number; 
/**  The number of the move, from 1. */
number: number }) & { away?: never; moves?: never; name?: never; on?: never; online?: never; result?: never } | 
/**  A player passed. */
({ kind: "pass"; 
/**  Who. */
color: RoomColor; 
/**  The number of the move, from 1. */
number: number }) & { away?: never; moves?: never; name?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  A player asks to take the last move back. */
({ kind: "undo_asked"; 
/**  Who. */
color: RoomColor }) & { away?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  The other player does not want that. */
({ kind: "undo_refused"; 
/**  Who. */
color: RoomColor }) & { away?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  Moves were taken back. */
({ kind: "undone"; 
/**  Moves that are left. */
moves: number }) & { away?: never; color?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  Both passed: what is dead is to be agreed on. */
({ kind: "counting" }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  Other stones are marked as dead now, and nobody has agreed to them. */
({ kind: "marked" }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  A player agrees to the stones that are marked. */
({ kind: "agreed"; 
/**  Who. */
color: RoomColor }) & { away?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  The players do not agree; the game goes on. */
({ kind: "play_resumed" }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  A player asks to adjourn. */
({ kind: "adjourn_asked"; 
/**  Who. */
color: RoomColor }) & { away?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  The other player does not want that. */
({ kind: "adjourn_refused"; 
/**  Who. */
color: RoomColor }) & { away?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  The game is adjourned. */
({ kind: "adjourned"; 
/**  Because a player of a game without clocks was away for too long. */
away: boolean }) & { color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  A player is ready to go on. */
({ kind: "ready"; 
/**  Who. */
color: RoomColor }) & { away?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  The adjourned game goes on. */
({ kind: "continued" }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  The game is over. */
({ kind: "over"; 
/**  As SGF's `RE` writes it. */
result: string }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; x?: never; y?: never } | 
/**  Somebody said something. */
{
	kind: "chat",
} & ChatLine | 
/**  Chat was switched on or off. */
({ kind: "chat_switched"; 
/**  Whether it is on now. */
on: boolean }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  The engine is busy with other games; its move comes when its turn has come. */
({ kind: "engine_busy" }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never } | 
/**  The engine could not answer; somebody simpler answered for it. */
({ kind: "engine_stood_in" }) & { away?: never; color?: never; moves?: never; name?: never; number?: never; on?: never; online?: never; result?: never; x?: never; y?: never };

export type RoomId = {
	room_id: string,
};

export type RoomList = {
	rooms: ListedRoom[],
};

/**
 *  What the server sends. Of everything that happens, the last has the number `seq`, and `events` lists it in its order
 *  from `seq - events.len() + 1` on.
 */
export type RoomMessage = {
	/**  [`VERSION`]. */
	version: number,
	/**  The room's name. */
	room: string,
	/**  The number of the last event that the message knows of. */
	seq: number,
} & RoomMessageBody;

/**  What a message of the server is about. */
export type RoomMessageBody = 
/**  A game begins, or a client comes to one that is under way. */
{
	type: "game_start",
} & RoomUpdate | 
/**  Something happened. */
{
	type: "state_update",
} & RoomUpdate | 
/**  The game is over. */
{
	type: "game_over",
} & RoomUpdate | 
/**  Somebody said something, and nothing else happened. */
({ type: "chat"; 
/**  What happened: lines of chat. */
events: RoomEvent[] }) & { id?: never; kind?: never; message?: never; own?: never; point?: never } | 
/**  A lesson stands otherwise than before, or a client comes to it. */
{
	type: "lesson_state",
} & LessonUpdate | 
/**  The teacher of a lesson points elsewhere. */
({ type: "lesson_pointer"; 
/**  Where; at nothing where it is `None`. */
point: [number, number] | null }) & { events?: never; id?: never; kind?: never; message?: never; own?: never } | 
/**  To one person in a lesson: the board of one's own. */
({ type: "own_board"; 
/**  `None` where the person looks at what all see. */
own: OwnBoard | null }) & { events?: never; id?: never; kind?: never; message?: never; point?: never } | 
/**  To the sender alone: the message with this id was done, now or before. */
({ type: "ack"; 
/**  The client's number. */
id: number }) & { events?: never; kind?: never; message?: never; own?: never; point?: never } | 
/**  To the sender alone: a message was refused, and changed nothing. */
({ type: "error"; 
/**  A stable name. */
kind: string; 
/**  A sentence. */
message: string; 
/**  The number that the client gave the message. */
id?: number }) & { events?: never; own?: never; point?: never };

/**  A move of a game: a stone, or a pass where there is no point. */
export type RoomMove = {
	/**  Whose. */
	color: RoomColor,
	/**  Column. */
	x?: number,
	/**  Row. */
	y?: number,
};

export type RoomOffer = {
	/**  Levels, ranks and engines that can be played against. */
	engines: string[],
} & Offer;

/**  A seat that is taken. */
export type RoomPlayer = {
	/**  Who. */
	name: string,
	/**  Whether that is an engine. */
	engine: boolean,
	/**  Whether the player is here now. */
	online: boolean,
};

/**  What a client wants. Colours are 1 for Black and 2 for White, points count from 0 at the top left. */
export type RoomRequest = 
/**  Place a stone. */
{ type: "move"; 
/**  Column. */
x: number; 
/**  Row. */
y: number; 
/**  Whose; the sender's where it is not said. */
color?: number | null; 
/**  The number that the move is to have, from 1: it is refused when the game has gone on. */
number?: number | null } | 
/**  Pass. */
{ type: "pass"; 
/**  As for a move. */
number?: number | null } | 
/**  Give the game up. */
{ type: "resign" } | 
/**  Ask to take one's last move back. */
{ type: "undo" } | 
/**  Answer the other player's wish to take back. */
{ type: "undo_answer"; 
/**  Yes or no. */
granted: boolean } | 
/**  Mark a chain as dead, or as alive where it is marked. */
{ type: "mark"; 
/**  Column of one of its stones. */
x: number; 
/**  Row. */
y: number } | 
/**  Agree that the stones that are marked are dead, and no others. */
{ type: "agree"; 
/**  The number of the marking, from the state. */
revision: number } | 
/**  Go on playing instead of counting. */
{ type: "resume_play" } | 
/**  Ask to adjourn. */
{ type: "adjourn" } | 
/**  Answer the other player's wish to adjourn. */
{ type: "adjourn_answer"; 
/**  Yes or no. */
granted: boolean } | 
/**  Be ready to go on with an adjourned game. */
{ type: "continue" } | 
/**  Say something. */
{ type: "chat"; 
/**  What. */
text: string } | 
/**  Switch chat on or off. */
{ type: "chat_switch"; 
/**  On or off. */
on: boolean } | 
/**  Give one's seat up, before the game has begun. */
{ type: "leave" } | 
/**  Win an adjourned game without clocks that the other player stays away from. */
{ type: "claim" } | 
/**  End the game without a result, before each has moved. */
{ type: "cancel" } | 
/**  Ask for what came after a message. */
{ type: "sync"; 
/**  The number of the last message that was received; everything is sent where it is missing. */
after?: number | null };

/**  Where a game is between its beginning and its end. */
export type RoomStage = 
/**  A seat is empty, or a player has not come yet. */
"waiting" | 
/**  Somebody is to move. */
"playing" | 
/**  Both passed. */
"counting" | 
/**  It stands until both are ready. */
"adjourned" | 
/**  It has ended. */
"over";

/**  How a room stands. Points count from 0 at the top left. */
export type RoomState = {
	/**  Rows from the top: 0 empty, 1 black, 2 white. */
	board: number[][],
	/**  Who is to move. */
	turn: RoomColor,
	/**  Whether the game has ended. */
	game_over: boolean,
	/**  Who won; `None` before the end, and where nobody did. */
	winner: RoomColor | null,
	/**  Black's and White's points, where the game was counted. */
	final_score: FinalScore | null,
	/**  White stones that Black has taken. */
	black_captured: number,
	/**  Black stones that White has taken. */
	white_captured: number,
	/**  Moves so far, passes included. */
	current_move_number: number,
	/**  Whether an engine plays. */
	ai_enabled: boolean,
	/**  Its colour. */
	ai_color: RoomColor | null,
	/**  Its level. */
	ai_difficulty: string | null,
	/**  Where the game is. */
	stage: RoomStage,
	/**  As SGF's `RE` writes it; `None` before the end. */
	result: string | null,
	/**  As [`Terms::topology`](crate::Terms::topology). */
	topology: "plane" | "cylinder" | "torus",
	/**  The ruleset's name. */
	rules: string,
	/**  Points for White. */
	komi: number,
	/**  Black stones at the start. */
	handicap: number,
	/**  How time is given; `None` without clocks. */
	time: RoomTime | null,
	/**  Whether the result counts for ratings. */
	rated: boolean,
	/**  Seconds by which those who watch see it later. */
	delay_seconds: number,
	/**  The point of the last move, if it was a stone. */
	last_move: [number, number] | null,
	/**  Black's and White's seat; `None` is free. */
	players: [(RoomPlayer | null), (RoomPlayer | null)],
	/**  The clocks; `None` without. */
	clock: RoomClock | null,
	/**  Whether either player may still end the game without a result. */
	may_cancel: boolean,
	/**  Who asks to take back. */
	undo_asked: RoomColor | null,
	/**  Who asks to adjourn. */
	adjourn_asked: RoomColor | null,
	/**  Players who are ready to go on with an adjourned game. */
	ready: RoomColor[],
	/**  Seconds until the player who is here may claim an adjourned game without clocks, as the other one is away. */
	claimable_in_seconds: number | null,
	/**  What is agreed on while the game is counted. */
	counting: RoomCounting | null,
	/**  Whether people may talk. */
	chat_on: boolean,
	/**  People who watch. */
	spectators: number,
};

/**  Board, rules, handicap and time of a game. */
export type RoomTerms = {
	/**  Columns, from 2 to 52. */
	width: number,
	/**  Rows, from 2 to 52. */
	height: number,
	/**  `plane`, `cylinder` or `torus`. */
	topology: "plane" | "cylinder" | "torus",
	/**  A ruleset's name; empty for the usual one on this board. */
	rules: string,
	/**  Points for White; the ruleset's own, or half a point in a game with handicap, where it is `None`. */
	komi: number | null,
	/**  Black stones on the star points; 0 and 1 place none. */
	handicap: number,
	/**  The clocks; `None` plays without. */
	time: RoomTime | null,
	/**  Whether the result counts for ratings. */
	rated: boolean,
	/**  Those who watch see everything so many seconds later; at most [`MAX_DELAY`]. */
	delay_seconds: number,
};

/**  How time is given. */
export type RoomTime = 
/**  Main time alone. */
{ kind: "absolute"; 
/**  Seconds of main time. */
main_seconds: number } | 
/**  Main time that grows with each move. */
{ kind: "fischer"; 
/**  Seconds of main time. */
main_seconds: number; 
/**  Seconds added after each move. */
increment_seconds: number } | 
/**  After the main time, periods that begin again with each move that is made within them. */
{ kind: "byo_yomi"; 
/**  Seconds of main time. */
main_seconds: number; 
/**  Seconds of a period. */
period_seconds: number; 
/**  Number of periods. */
periods: number } | 
/**  After the main time, so many stones in each period. */
{ kind: "canadian"; 
/**  Seconds of main time. */
main_seconds: number; 
/**  Seconds of a period. */
period_seconds: number; 
/**  Stones in a period. */
stones: number };

/**  What a player has left. */
export type RoomTimeLeft = {
	/**  Seconds of main time. */
	main_seconds: number,
	/**  In overtime: seconds of the running period. */
	period_seconds: number | null,
	/**  Periods that are left, the running one included. */
	periods: number,
	/**  Stones to be played in the running period. */
	stones: number,
};

/**  What happened and how things stand after it. */
export type RoomUpdate = {
	/**  What happened; empty where only the state is told. */
	events: RoomEvent[],
	/**  How things stand. */
	state: RoomState,
	/**  Only where the whole room is told: all moves. */
	moves?: RoomMove[],
	/**  Only where the whole room is told: the last lines of chat. */
	chat?: ChatLine[],
};

/**  How a round ended for one player. */
export type RoundResult = 
/**  It is not over. */
"open" | 
/**  A point. */
"won" | 
/**  None. */
"lost" | 
/**  Half a point. */
"drawn" | 
/**  A point for having no opponent, but in a round robin, where everybody has none once. */
"bye" | 
/**  Half a point without a game. */
"half" | 
/**  Had no game, and nothing for it. */
"absent";

/**  What is answered then. */
export type RouteFailed = {
	error: RouteRefusal,
};

export type RouteRefusal = {
	/**  A stable name. */
	kind: string,
	/**  A sentence in English, for those without words of their own. */
	message: string,
};

/**  Where the browser is to go. */
export type SentAway = {
	url: string,
};

/**  What one person, or one address, may do. */
export type ServerLimits = {
	rooms_of_one: number,
	log_ins_of_name: number,
	log_ins_of_address: number,
	new_of_address: number,
};

export type ServerOverview = {
	version: string,
	limits: ServerLimits,
	people_online: number,
	/**  Connections to rooms, and how many there may be. */
	connections: number,
	max_connections: number,
	waiting: number,
	playing: number,
	counting: number,
	adjourned: number,
	lessons: number,
	/**  Engines that think, and how many may at a time. */
	engines_thinking: number,
	engines_at_a_time: number,
	/**  Moves that a substitute made for an engine that failed, since this server began. */
	engine_stand_ins: number,
	engines: string[],
} & ServerPolicy;

export type ServerPeople = {
	people: ServerPerson[],
	/**  What `after` is for the next page. */
	next: string | null,
};

export type ServerPerson = {
	id: number,
	username: string,
	guest: boolean,
	/**  Milliseconds since 1970. */
	created: number,
	/**  Finished games. */
	games: number,
	online: boolean,
};

/**  Who may come in. */
export type ServerPolicy = {
	/**  Who may make an account. */
	registration: Registration,
	/**  Whether somebody may come in without an account. */
	guests: boolean,
};

/**  A room as it is closed. */
export type ServerRoom = {
	/**  Rooms of several people against one engine have one name, and keys of their own; any other's is its number. */
	key: string,
} & ListedRoom;

export type ServerRooms = {
	rooms: ServerRoom[],
	lessons: ListedLesson[],
	/**  How many there are; the lists end at 200. */
	total: number,
};

export type ServerStatus = {
	status: string,
};

/**  A position on the way. */
export type ShownPosition = {
	/**  Row by row from the top, a character a point: `.`, `X` for Black, `O` for White. */
	stones: string,
	/**  Column and row of the move that led here; `None` at the beginning and after a pass. */
	last_move: [number, number] | null,
	/**  Whose move that was; `None` at the beginning. */
	moved: RoomColor | null,
};

export type SignInBeginning = {
	return_to?: string | null,
};

export type SignInEntering = {
	code?: string | null,
};

export type SignedIn = {
	return_to: string,
} & ClubEntered;

/**  A tournament. Players are known by their numbers, from 0 in the order they came; rounds and games by theirs. */
export type Tournament = {
	id: number,
	title: string,
	system: TournamentSystem,
	stage: TournamentStage,
	organiser: string,
	/**  Whether whoever asks may do what the organiser may. */
	organises: boolean,
	/**  The number of whoever asks, among the players. */
	you: number | null,
	/**  Rounds altogether; of a round robin that has not begun, as many as it would take now. */
	planned: number,
	/**  Rounds altogether that can be played without anybody meeting again. */
	without_rematch: number,
	bar: string | null,
	handicap_less: number | null,
	terms: RoomTerms,
	/**  Whether the next round can be paired, as far as results go. */
	can_pair: boolean,
	/**  Whether the last pairing can be taken back, as far as results go. */
	can_take_back: boolean,
	/**  Best first. */
	table: TournamentRow[],
	rounds: TournamentRound[],
	/**  Rounds that somebody does not play, as the organiser said, also those that are still to be paired. */
	rests: TournamentRest[],
};

export type TournamentGame = {
	black: number,
	white: number,
	/**  Empty where nobody plays. */
	room: string,
	result: PairingResult | null,
	/**  Stones; 1 is Black's first move without komi. */
	handicap: number,
	/**  The two have met before. */
	rematch: boolean,
};

export type TournamentId = {
	id: number,
};

export type TournamentList = {
	tournaments: ListedTournament[],
};

/**  What is sent. */
export type TournamentNews = {
	version: number,
	type: string,
	tournament: Tournament,
};

/**  The organiser's word on a round that somebody does not play. Who has one is not paired in that round. */
export type TournamentRest = {
	/**  The round, from 0. */
	round: number,
	/**  The player's number. */
	player: number,
	/**  What it is worth. */
	points: RestPoints,
};

export type TournamentRound = {
	games: TournamentGame[],
	bye: number | null,
};

export type TournamentRow = {
	player: number,
	name: string,
	rank: string,
	attendance: Attendance,
	place: number,
	start: number,
	score: number,
	sos: number,
	sodos: number,
	rounds: TournamentRowRound[],
};

export type TournamentRowRound = {
	opponent: number | null,
	color: RoomColor | null,
	result: RoundResult,
};

/**  Where a tournament is. */
export type TournamentStage = 
/**  People come; nothing is paired yet. */
"open" | 
/**  A round is paired, or the next one can be. */
"running" | 
/**  The table stands. */
"over";

/**  Who meets whom. */
export type TournamentSystem = 
/**  Players with as many wins; all begin with none. */
"swiss" | 
/**  Players with as many points; all begin with those of their rank. */
"mc_mahon" | 
/**  Everybody meets everybody once. */
"round_robin";

/**  What a tournament is to be. */
export type TournamentTerms = {
	/**  What it is called. */
	title: string,
	/**  Who meets whom. */
	system: TournamentSystem,
	/**
	 *  Rounds, from 1 on; where it is not said five, or as many as can be played without anybody meeting again. A round
	 *  robin has as many as it takes.
	 */
	rounds?: number | null,
	/**  From which rank on all begin with the same points in a McMahon tournament, as `4d`; `None` tells all ranks apart. */
	bar?: string | null,
	/**
	 *  In a McMahon tournament a game has as many stones as its players' points differ, less this many; `None` where all
	 *  games are even. Those of the bar and above play even games with each other.
	 */
	handicap_less?: number | null,
	/**  How games are played that are even. */
	terms?: WantedRoomTerms,
};

export type WantedColor = "black" | "white";

/**  Board, rules, handicap and time of a game. */
export type WantedRoomTerms = {
	/**  Columns, from 2 to 52. */
	width?: number,
	/**  Rows, from 2 to 52. */
	height?: number,
	/**  `plane`, `cylinder` or `torus`. */
	topology?: "plane" | "cylinder" | "torus",
	/**  A ruleset's name; empty for the usual one on this board. */
	rules?: string,
	/**  Points for White; the ruleset's own, or half a point in a game with handicap, where it is `None`. */
	komi?: number | null,
	/**  Black stones on the star points; 0 and 1 place none. */
	handicap?: number,
	/**  The clocks; `None` plays without. */
	time?: RoomTime | null,
	/**  Whether the result counts for ratings. */
	rated?: boolean,
	/**  Those who watch see everything so many seconds later; at most [`MAX_DELAY`]. */
	delay_seconds?: number,
};

/** Every route by its method and its path: what it takes there, in its query and as its body, and what it answers. */
export interface Routes {
	/** Make an account and log in */
	"POST /api/register": { body: NewAccount, answer: ClubEntered }
	/** Log in */
	"POST /api/login": { body: Credentials, answer: ClubEntered }
	/** Choose another password with a code of the operator, and log in; every other token ends */
	"POST /api/reset-password": { body: PasswordReset, answer: ClubEntered }
	/** Come in for a day without an account */
	"POST /api/guest": { answer: ClubEntered }
	/** Begin to log in by the OpenID Connect provider: where to send the browser, which gets a cookie */
	"POST /api/oidc/begin": { body?: SignInBeginning, answer: SentAway }
	/** Come in as whom the provider has named, with the cookie */
	"POST /api/oidc/enter": { body?: SignInEntering, answer: SignedIn }
	/** How one can log in */
	"GET /api/oidc/link": { answer: ClubLinks }
	/** Begin to link one's account with the provider's: where to send the browser, which gets a cookie */
	"POST /api/oidc/link": { body?: SignInBeginning, answer: SentAway }
	/** End the link; for who has a password */
	"DELETE /api/oidc/link": { answer: null }
	/** Link one's account with whom the provider has named, with the cookie */
	"POST /api/oidc/finish-link": { answer: LinkEnded }
	/** End the token that is used, and say where the browser can log out at the provider, for which it gets a cookie */
	"POST /api/oidc/logout": { answer: LoggedOut }
	/** The provider tells of a session that has ended there: its tokens end */
	"POST /api/oidc/backchannel-logout": { body: ProviderLogout, answer: unknown }
	/** End the token that is used */
	"POST /api/logout": { answer: null }
	/** Change the password; every token ends and a new one is given */
	"POST /api/change-password": { body: PasswordChange, answer: ClubEntered }
	/** Delete the account; games that are not over are lost, finished ones stay with the other player */
	"POST /api/delete-account": { body?: Deletion, answer: null }
	/** Whose token this is */
	"GET /api/me": { answer: ClubMe }
	/** All that the lobby shows: rooms, lessons, tournaments, who is online and one's invitations */
	"GET /api/lobby": { answer: Lobby }
	/** Who is online */
	"GET /api/online-users": { answer: OnlineUsers }
	/** Somebody with an account, and the ratings */
	"GET /api/players/{name}": { params: { name: string }, answer: ClubPlayer }
	/** Make a room and get its number */
	"POST /api/generate-room": { body?: NewRoom, answer: RoomId }
	/** Rooms that everybody sees, and one's own; open seats first */
	"GET /api/rooms": { answer: RoomList }
	/** Invite somebody who is online into one's room, or into a new one */
	"POST /api/invite": { body: Invite, answer: RoomId }
	/** What one is invited to */
	"GET /api/invitations": { answer: Invitations }
	/** Accept an invitation: the seat is kept until one comes */
	"POST /api/accept-invitation": { body: InvitationAnswer, answer: RoomId }
	/** Put an invitation away; whoever sent it is told */
	"POST /api/decline-invitation": { body: InvitationAnswer, answer: null }
	/** What a new room can be: boards, rulesets, handicaps, komi, engines */
	"GET /api/offer": { query?: { width?: number, height?: number, topology?: string, rules?: string, handicap?: number }, answer: RoomOffer }
	/** One's finished games, newest first */
	"GET /api/games": { query?: { before?: number, limit?: number }, answer: FinishedGames }
	/** The record of one of one's finished games, as SGF */
	"GET /api/games/{id}": { params: { id: number }, answer: string }
	/** The positions of one of one's finished games, for clients that know no rules */
	"GET /api/games/{id}/positions": { params: { id: number }, answer: GamePositions }
	/** Make a lesson on an empty board, about a finished game of one's own or about a record; get its number */
	"POST /api/lessons": { body: NewLesson, answer: RoomId }
	/** Lessons that everybody sees, and those that one is in */
	"GET /api/lessons": { answer: ListedLessons }
	/** Lessons that have ended and that one took part in, newest first */
	"GET /api/lesson-records": { query?: { before?: number, limit?: number }, answer: LessonRecords }
	/** The record of one of them, as SGF */
	"GET /api/lesson-records/{id}": { params: { id: number }, answer: string }
	/** Make a tournament that one organises; get its number */
	"POST /api/tournaments": { body: TournamentTerms, answer: TournamentId }
	/** Tournaments, those that are not over first */
	"GET /api/tournaments": { answer: TournamentList }
	/** A tournament: its table and its rounds */
	"GET /api/tournaments/{id}": { params: { id: number }, answer: Tournament }
	/** Come to a tournament, or say another rank before its first round */
	"POST /api/tournaments/{id}/join": { params: { id: number }, body?: Joining, answer: Tournament }
	/** Put somebody on the list who is online or known; for the organiser */
	"POST /api/tournaments/{id}/players": { params: { id: number }, body: NewPlayer, answer: Tournament }
	/** Say whether one plays on; the organiser says it of anybody */
	"POST /api/tournaments/{id}/attendance": { params: { id: number }, body: Attending, answer: Tournament }
	/** Pair the next round and open a room for each of its games; for the organiser */
	"POST /api/tournaments/{id}/rounds": { params: { id: number }, answer: Tournament }
	/** Take the last pairing back as long as nobody has played in it, and close its rooms; for the organiser */
	"POST /api/tournaments/{id}/take-back": { params: { id: number }, answer: Tournament }
	/** Say how a game ended, correct it, or take it back; for the organiser */
	"POST /api/tournaments/{id}/results": { params: { id: number }, body: EnteredResult, answer: Tournament }
	/** Pair two by hand, exchange places or colours, or take a pairing apart before its game begins; for the organiser */
	"POST /api/tournaments/{id}/pairings": { params: { id: number }, body: ChangedPairing, answer: Tournament }
	/** Say what a round without a game is worth to somebody, who is not paired in it; for the organiser */
	"POST /api/tournaments/{id}/rests": { params: { id: number }, body: Resting, answer: Tournament }
	/** End a tournament between two rounds: the table stands; for the organiser */
	"POST /api/tournaments/{id}/finish": { params: { id: number }, answer: Tournament }
	/** Let a tournament go on that was ended; for the organiser */
	"POST /api/tournaments/{id}/reopen": { params: { id: number }, answer: Tournament }
	/** Make a code that lets one person register */
	"POST /api/sign-up-codes": { answer: MadeCode }
	/** Copy the server's file while everybody goes on; the ten newest copies are kept */
	"POST /api/backup": { answer: BackedUp }
	/** How things stand: people, rooms, engines, and who may come in */
	"GET /api/operator": { answer: ServerOverview }
	/** Say who may come in, until the server is started with other options */
	"PUT /api/operator/policy": { body: ServerPolicy, answer: ServerPolicy }
	/** Say what one person and one address may do within five minutes, and have at a time */
	"PUT /api/operator/limits": { body: ServerLimits, answer: ServerLimits }
	/** Accounts and guests by name, in pages */
	"GET /api/operator/people": { query?: { part?: string, after?: string, limit?: number }, answer: ServerPeople }
	/** Delete an account: its games that are not over are lost, its own library is removed */
	"DELETE /api/operator/people/{id}": { params: { id: number }, answer: null }
	/** Make a code with which somebody who forgot the password chooses another one, once and within a day */
	"POST /api/operator/people/{id}/reset": { params: { id: number }, answer: MadeCode }
	/** Every room and lesson that is not over */
	"GET /api/operator/rooms": { answer: ServerRooms }
	/** End a game without a result, by the key of its room, or a lesson */
	"DELETE /api/operator/rooms/{room_id}": { params: { room_id: string }, answer: null }
	/** Figures for Prometheus */
	"GET /metrics": { answer: string }
	/** What the server allows: guests, registration */
	"GET /api/server": { answer: ClubFacts }
	/** Whether the server runs */
	"GET /api/health": { answer: ServerStatus }
	/** Whether the server can do its work */
	"GET /api/ready": { answer: ServerStatus }
	/** This description */
	"GET /api/openapi.json": { answer: unknown }
	/** The description of the messages of a room */
	"GET /api/asyncapi.json": { answer: unknown }
}
