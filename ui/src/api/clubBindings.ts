// Written by `scripts/bindings` from crates/server and crates/rooms; never edited by hand.
export type RoomColor = 1 | 2
export type Offer = {
	sizes: (number)[],
	smallest_side: number,
	largest_side: number,
	rulesets: (string)[],
	komi: number,
	handicaps: (number)[] }
export type RoomRequest = ({
	type: "move" } & {
	x: number,
	y: number,
	color?: number | null,
	number?: number | null }) | ({
	type: "pass" } & {
	number?: number | null }) | ({
	type: "resign" }) | ({
	type: "undo" }) | ({
	type: "undo_answer" } & {
	granted: boolean }) | ({
	type: "mark" } & {
	x: number,
	y: number }) | ({
	type: "agree" } & {
	revision: number }) | ({
	type: "resume_play" }) | ({
	type: "adjourn" }) | ({
	type: "adjourn_answer" } & {
	granted: boolean }) | ({
	type: "continue" }) | ({
	type: "chat" } & {
	text: string }) | ({
	type: "chat_switch" } & {
	on: boolean }) | ({
	type: "leave" }) | ({
	type: "claim" }) | ({
	type: "cancel" }) | ({
	type: "sync" } & {
	after?: number | null })
export type RoomMessage = {
	version: number,
	room: string,
	seq: number } & RoomMessageBody
export type RoomMessageBody = ({
	type: "game_start" } & RoomUpdate) | ({
	type: "state_update" } & RoomUpdate) | ({
	type: "game_over" } & RoomUpdate) | ({
	type: "chat" } & {
	events: (RoomEvent)[] }) | ({
	type: "lesson_state" } & LessonUpdate) | ({
	type: "lesson_pointer" } & {
	point: [number, number] | null }) | ({
	type: "own_board" } & {
	own: OwnBoard | null }) | ({
	type: "ack" } & {
	id: number }) | ({
	type: "error" } & {
	kind: string,
	message: string,
	id?: number })
export type RoomUpdate = {
	events: (RoomEvent)[],
	state: RoomState,
	moves?: (RoomMove)[],
	chat?: (ChatLine)[] }
export type RoomMove = {
	color: RoomColor,
	x?: number,
	y?: number }
export type RoomStage = ("waiting") | ("playing") | ("counting") | ("adjourned") | ("over")
export type RoomState = {
	board: ((number)[])[],
	turn: RoomColor,
	game_over: boolean,
	winner: RoomColor | null,
	final_score: FinalScore | null,
	black_captured: number,
	white_captured: number,
	current_move_number: number,
	ai_enabled: boolean,
	ai_color: RoomColor | null,
	ai_difficulty: string | null,
	stage: RoomStage,
	result: string | null,
	topology: "plane" | "cylinder" | "torus",
	rules: string,
	komi: number,
	handicap: number,
	time: RoomTime | null,
	rated: boolean,
	delay_seconds: number,
	last_move: [number, number] | null,
	players: [RoomPlayer | null, RoomPlayer | null],
	clock: RoomClock | null,
	may_cancel: boolean,
	undo_asked: RoomColor | null,
	adjourn_asked: RoomColor | null,
	ready: (RoomColor)[],
	claimable_in_seconds: number | null,
	counting: RoomCounting | null,
	chat_on: boolean,
	spectators: number }
export type RoomPlayer = {
	name: string,
	engine: boolean,
	online: boolean }
export type FinalScore = {
	black: number,
	white: number }
export type RoomClock = {
	black: RoomTimeLeft,
	white: RoomTimeLeft,
	running: RoomColor | null }
export type RoomTimeLeft = {
	main_seconds: number,
	period_seconds: number | null,
	periods: number,
	stones: number }
export type RoomCounting = {
	dead: ([number, number])[],
	revision: number,
	proposed: boolean,
	agreed: (RoomColor)[],
	settled_in_seconds: number | null,
	score: FinalScore }
export type GamePositions = {
	width: number,
	height: number,
	topology: "plane" | "cylinder" | "torus",
	rules: string,
	komi: number,
	positions: (ShownPosition)[] }
export type ShownPosition = {
	stones: string,
	last_move: [number, number] | null,
	moved: RoomColor | null }
export type RoomEvent = ({
	kind: "seated" } & {
	color: RoomColor,
	name: string }) | ({
	kind: "left" } & {
	color: RoomColor }) | ({
	kind: "declined" } & {
	name: string }) | ({
	kind: "presence" } & {
	color: RoomColor,
	online: boolean }) | ({
	kind: "started" }) | ({
	kind: "move" } & {
	color: RoomColor,
	x: number,
	y: number,
	number: number }) | ({
	kind: "pass" } & {
	color: RoomColor,
	number: number }) | ({
	kind: "undo_asked" } & {
	color: RoomColor }) | ({
	kind: "undo_refused" } & {
	color: RoomColor }) | ({
	kind: "undone" } & {
	moves: number }) | ({
	kind: "counting" }) | ({
	kind: "marked" }) | ({
	kind: "agreed" } & {
	color: RoomColor }) | ({
	kind: "play_resumed" }) | ({
	kind: "adjourn_asked" } & {
	color: RoomColor }) | ({
	kind: "adjourn_refused" } & {
	color: RoomColor }) | ({
	kind: "adjourned" } & {
	away: boolean }) | ({
	kind: "ready" } & {
	color: RoomColor }) | ({
	kind: "continued" }) | ({
	kind: "over" } & {
	result: string }) | ({
	kind: "chat" } & ChatLine) | ({
	kind: "chat_switched" } & {
	on: boolean }) | ({
	kind: "engine_busy" }) | ({
	kind: "engine_stood_in" })
export type ChatLine = {
	name: string,
	text: string }
export type RoomTerms = {
	width: number,
	height: number,
	topology: "plane" | "cylinder" | "torus",
	rules: string,
	komi: number | null,
	handicap: number,
	time: RoomTime | null,
	rated: boolean,
	delay_seconds: number }
export type WantedRoomTerms = {
	width?: number,
	height?: number,
	topology?: "plane" | "cylinder" | "torus",
	rules?: string,
	komi?: number | null,
	handicap?: number,
	time?: RoomTime | null,
	rated?: boolean,
	delay_seconds?: number }
export type RoomTime = ({
	kind: "absolute" } & {
	main_seconds: number }) | ({
	kind: "fischer" } & {
	main_seconds: number,
	increment_seconds: number }) | ({
	kind: "byo_yomi" } & {
	main_seconds: number,
	period_seconds: number,
	periods: number }) | ({
	kind: "canadian" } & {
	main_seconds: number,
	period_seconds: number,
	stones: number })
export type RoundResult = ("open") | ("won") | ("lost") | ("drawn") | ("bye") | ("absent")
export type TournamentSystem = ("swiss") | ("mc_mahon") | ("round_robin")
export type TournamentTerms = {
	title: string,
	system: TournamentSystem,
	rounds?: number | null,
	bar?: string | null,
	handicap_less?: number | null,
	terms?: WantedRoomTerms }
export type TournamentStage = ("open") | ("running") | ("over")
export type Attendance = ("here") | ("absent") | ("gone")
export type PairingResult = ("black") | ("white") | ("draw") | ("both_lost")
export type LessonState = {
	title: string,
	teacher: string,
	players: [string, string],
	board: ((number)[])[],
	turn: RoomColor,
	topology: "plane" | "cylinder" | "torus",
	rules: string,
	komi: number,
	move_number: number,
	moves_ahead: number,
	last_move: [number, number] | null,
	continuations: (LessonContinuation)[],
	variation: [number, number],
	node: number,
	comment: string,
	marks: (LessonMark)[],
	pointer: [number, number] | null,
	engine: boolean,
	opinion: LessonOpinion | null,
	people: (LessonPerson)[],
	offers: (LessonOffer)[],
	newcomers: LessonRole,
	chat_on: boolean,
	over: boolean }
export type LessonContinuation = {
	x?: number,
	y?: number }
export type LessonMark = {
	x: number,
	y: number,
	shape?: LessonShape,
	label?: string }
export type LessonPerson = {
	name: string,
	role: LessonRole,
	online: boolean }
export type LessonOffer = {
	name: string,
	after_move: number,
	moves: number }
export type LessonOpinion = {
	black_win_prob: number,
	black_lead: number,
	visits: number,
	candidates: (LessonOpinionMove)[] }
export type LessonOpinionMove = {
	x?: number,
	y?: number,
	black_win_prob: number,
	black_lead: number,
	visits: number }
export type OwnBoard = {
	board: ((number)[])[],
	turn: RoomColor,
	last_move: [number, number] | null,
	after_move: number,
	moves: number }
export type LessonEvent = ({
	kind: "came" } & {
	name: string,
	role: LessonRole }) | ({
	kind: "went" } & {
	name: string }) | ({
	kind: "role_given" } & {
	name: string,
	role: LessonRole }) | ({
	kind: "offered" } & {
	name: string,
	moves: number }) | ({
	kind: "offer_shown" } & {
	name: string }) | ({
	kind: "engine_shown" } & {
	on: boolean }) | ({
	kind: "chat_switched" } & {
	on: boolean }) | ({
	kind: "finished" })
export type LessonUpdate = {
	events: (LessonEvent)[],
	state: LessonState,
	chat?: (ChatLine)[] }
export type LessonRole = ("teacher") | ("student") | ("audience")
export type LessonShape = ("triangle") | ("square") | ("circle") | ("cross")
export type LessonRequest = ({
	type: "play" } & {
	x: number,
	y: number }) | ({
	type: "pass" }) | ({
	type: "step" } & {
	by: number }) | ({
	type: "enter" } & {
	index: number }) | ({
	type: "sibling" } & {
	by: number }) | ({
	type: "remove" }) | ({
	type: "point" } & {
	x?: number | null,
	y?: number | null }) | ({
	type: "mark" } & {
	x: number,
	y: number,
	shape?: LessonShape | null }) | ({
	type: "comment" } & {
	text: string,
	node?: number | null }) | ({
	type: "engine" } & {
	on: boolean }) | ({
	type: "role" } & {
	name: string,
	role: LessonRole }) | ({
	type: "newcomers" } & {
	role: LessonRole }) | ({
	type: "try" } & {
	x?: number | null,
	y?: number | null }) | ({
	type: "try_back" }) | ({
	type: "follow" }) | ({
	type: "offer" }) | ({
	type: "withdraw" }) | ({
	type: "show_offer" } & {
	name: string }) | ({
	type: "dismiss_offer" } & {
	name: string }) | ({
	type: "chat" } & {
	text: string }) | ({
	type: "chat_switch" } & {
	on: boolean }) | ({
	type: "finish" }) | ({
	type: "sync" } & {
	after?: number | null })
export type Tournament = {
	id: number,
	title: string,
	system: TournamentSystem,
	stage: TournamentStage,
	organiser: string,
	organises: boolean,
	you: number | null,
	planned: number,
	without_rematch: number,
	bar: string | null,
	handicap_less: number | null,
	terms: RoomTerms,
	can_pair: boolean,
	can_take_back: boolean,
	table: (TournamentRow)[],
	rounds: (TournamentRound)[] }
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
	rounds: (TournamentRowRound)[] }
export type TournamentRowRound = {
	opponent: number | null,
	color: RoomColor | null,
	result: RoundResult }
export type TournamentRound = {
	games: (TournamentGame)[],
	bye: number | null }
export type TournamentGame = {
	black: number,
	white: number,
	room: string,
	result: PairingResult | null,
	handicap: number,
	rematch: boolean }
export type ListedTournament = {
	id: number,
	title: string,
	system: TournamentSystem,
	stage: TournamentStage,
	organiser: string,
	players: number,
	round: number,
	planned: number,
	joined: boolean }
export type TournamentNews = {
	version: number,
	type: string,
	tournament: Tournament }
export type NewRoom = {
	terms?: WantedRoomTerms,
	color?: WantedColor | null,
	opponent?: string | null,
	listed?: boolean }
export type WantedColor = ("black") | ("white")
export type NewLesson = {
	title?: string,
	terms?: WantedRoomTerms,
	game?: number | null,
	sgf?: string | null,
	sgf_base64?: string | null,
	listed?: boolean,
	audience?: boolean }
export type Registration = ("open") | ("invitation")
export type ServerPolicy = {
	registration: Registration,
	guests: boolean }
export type ClubPerson = {
	username: string,
	guest: boolean }
export type ClubMe = {
	operator: boolean } & ClubPerson
export type ClubEntered = {
	token: string } & ClubMe
export type SentAway = {
	url: string }
export type SignedIn = {
	return_to: string } & ClubEntered
export type LinkEnded = {
	return_to: string }
export type ClubLinks = {
	password: boolean,
	linked: boolean,
	log_out_there: boolean }
export type LoggedOut = {
	url?: string }
export type OnlineUsers = {
	users: (ClubUser)[] }
export type ClubUser = {
	username: string,
	guest: boolean,
	rooms: number,
	ratings: (ClubRating)[] }
export type ClubRating = {
	width: number,
	height: number,
	rating: number,
	deviation: number,
	games: number,
	provisional: boolean }
export type ClubPlayer = {
	ratings: (ClubRating)[] } & ClubPerson
export type RoomId = {
	room_id: string }
export type RoomList = {
	rooms: (ListedRoom)[] }
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
	open_seat: boolean }
export type Invitations = {
	invitations: (ClubInvitation)[] }
export type ClubInvitation = {
	room_id: string,
	from: string,
	lesson: boolean,
	terms: RoomTerms | null }
export type FinishedGames = {
	games: (FinishedGame)[] }
export type FinishedGame = {
	id: number,
	black: string,
	white: string,
	width: number,
	height: number,
	moves: number,
	result: string,
	ended: number }
export type ListedLessons = {
	lessons: (ListedLesson)[] }
export type ListedLesson = {
	room_id: string,
	title: string,
	teacher: string,
	online: number }
export type LessonRecords = {
	records: (LessonRecord)[] }
export type LessonRecord = {
	id: number,
	title: string,
	teacher: string,
	moves: number,
	ended: number }
export type Lobby = {  } & RoomList & ListedLessons & TournamentList & OnlineUsers & Invitations
export type RoomOffer = {
	engines: (string)[] } & Offer
export type BackedUp = {
	file: string,
	bytes: number }
export type MadeCode = {
	code: string }
export type ClubFacts = {
	guests: boolean,
	registration: Registration,
	boards: boolean,
	provider?: string }
export type ServerStatus = {
	status: string }
export type SignInBeginning = {
	return_to?: string | null }
export type SignInEntering = {
	code?: string | null }
export type ProviderLogout = {
	logout_token: string }
export type RouteFailed = {
	error: RouteRefusal }
export type RouteRefusal = {
	kind: string,
	message: string }
export type NewAccount = {
	username: string,
	password: string,
	code?: string | null }
export type Credentials = {
	username: string,
	password: string }
export type PasswordChange = {
	old_password: string,
	new_password: string }
export type PasswordReset = {
	code: string,
	new_password: string }
export type Deletion = {
	password?: string | null }
export type Invite = {
	username: string,
	room_id?: string | null,
	room?: NewRoom }
export type InvitationAnswer = {
	room_id: string }
export type ServerOverview = {
	version: string,
	limits: ServerLimits,
	people_online: number,
	connections: number,
	max_connections: number,
	waiting: number,
	playing: number,
	counting: number,
	adjourned: number,
	lessons: number,
	engines_thinking: number,
	engines_at_a_time: number,
	engine_stand_ins: number,
	engines: (string)[] } & ServerPolicy
export type ServerLimits = {
	rooms_of_one: number,
	log_ins_of_name: number,
	log_ins_of_address: number,
	new_of_address: number }
export type ServerPeople = {
	people: (ServerPerson)[],
	next: string | null }
export type ServerPerson = {
	id: number,
	username: string,
	guest: boolean,
	created: number,
	games: number,
	online: boolean }
export type ServerRoom = {
	key: string } & ListedRoom
export type ServerRooms = {
	rooms: (ServerRoom)[],
	lessons: (ListedLesson)[],
	total: number }
export type TournamentId = {
	id: number }
export type TournamentList = {
	tournaments: (ListedTournament)[] }
export type Joining = {
	rank?: string | null }
export type NewPlayer = {
	username: string,
	rank?: string | null }
export type Attending = {
	player?: number | null,
	name?: string | null,
	attendance: Attendance }
export type EnteredResult = {
	round: number,
	game: number,
	result: PairingResult }
export interface Routes {
	"POST /api/register": { body: NewAccount, answer: ClubEntered }
	"POST /api/login": { body: Credentials, answer: ClubEntered }
	"POST /api/reset-password": { body: PasswordReset, answer: ClubEntered }
	"POST /api/guest": { answer: ClubEntered }
	"POST /api/oidc/begin": { body?: SignInBeginning, answer: SentAway }
	"POST /api/oidc/enter": { body?: SignInEntering, answer: SignedIn }
	"GET /api/oidc/link": { answer: ClubLinks }
	"POST /api/oidc/link": { body?: SignInBeginning, answer: SentAway }
	"DELETE /api/oidc/link": { answer: null }
	"POST /api/oidc/finish-link": { answer: LinkEnded }
	"POST /api/oidc/logout": { answer: LoggedOut }
	"POST /api/oidc/backchannel-logout": { body: ProviderLogout, answer: unknown }
	"POST /api/logout": { answer: null }
	"POST /api/change-password": { body: PasswordChange, answer: ClubEntered }
	"POST /api/delete-account": { body?: Deletion, answer: null }
	"GET /api/me": { answer: ClubMe }
	"GET /api/lobby": { answer: Lobby }
	"GET /api/online-users": { answer: OnlineUsers }
	"GET /api/players/{name}": { params: { name: string }, answer: ClubPlayer }
	"POST /api/generate-room": { body?: NewRoom, answer: RoomId }
	"GET /api/rooms": { answer: RoomList }
	"POST /api/invite": { body: Invite, answer: RoomId }
	"GET /api/invitations": { answer: Invitations }
	"POST /api/accept-invitation": { body: InvitationAnswer, answer: RoomId }
	"POST /api/decline-invitation": { body: InvitationAnswer, answer: null }
	"GET /api/offer": { query?: { width?: number, height?: number, topology?: string, rules?: string, handicap?: number }, answer: RoomOffer }
	"GET /api/games": { query?: { before?: number, limit?: number }, answer: FinishedGames }
	"GET /api/games/{id}": { params: { id: number }, answer: string }
	"GET /api/games/{id}/positions": { params: { id: number }, answer: GamePositions }
	"POST /api/lessons": { body: NewLesson, answer: RoomId }
	"GET /api/lessons": { answer: ListedLessons }
	"GET /api/lesson-records": { query?: { before?: number, limit?: number }, answer: LessonRecords }
	"GET /api/lesson-records/{id}": { params: { id: number }, answer: string }
	"POST /api/tournaments": { body: TournamentTerms, answer: TournamentId }
	"GET /api/tournaments": { answer: TournamentList }
	"GET /api/tournaments/{id}": { params: { id: number }, answer: Tournament }
	"POST /api/tournaments/{id}/join": { params: { id: number }, body?: Joining, answer: Tournament }
	"POST /api/tournaments/{id}/players": { params: { id: number }, body: NewPlayer, answer: Tournament }
	"POST /api/tournaments/{id}/attendance": { params: { id: number }, body: Attending, answer: Tournament }
	"POST /api/tournaments/{id}/rounds": { params: { id: number }, answer: Tournament }
	"POST /api/tournaments/{id}/take-back": { params: { id: number }, answer: Tournament }
	"POST /api/tournaments/{id}/results": { params: { id: number }, body: EnteredResult, answer: Tournament }
	"POST /api/tournaments/{id}/finish": { params: { id: number }, answer: Tournament }
	"POST /api/tournaments/{id}/reopen": { params: { id: number }, answer: Tournament }
	"POST /api/sign-up-codes": { answer: MadeCode }
	"POST /api/backup": { answer: BackedUp }
	"GET /api/operator": { answer: ServerOverview }
	"PUT /api/operator/policy": { body: ServerPolicy, answer: ServerPolicy }
	"PUT /api/operator/limits": { body: ServerLimits, answer: ServerLimits }
	"GET /api/operator/people": { query?: { part?: string, after?: string, limit?: number }, answer: ServerPeople }
	"DELETE /api/operator/people/{id}": { params: { id: number }, answer: null }
	"POST /api/operator/people/{id}/reset": { params: { id: number }, answer: MadeCode }
	"GET /api/operator/rooms": { answer: ServerRooms }
	"DELETE /api/operator/rooms/{room_id}": { params: { room_id: string }, answer: null }
	"GET /metrics": { answer: string }
	"GET /api/server": { answer: ClubFacts }
	"GET /api/health": { answer: ServerStatus }
	"GET /api/ready": { answer: ServerStatus }
	"GET /api/openapi.json": { answer: unknown }
	"GET /api/asyncapi.json": { answer: unknown }
}
