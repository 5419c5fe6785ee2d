(* The protocol of the universal game server, with nothing but the standard library. Your ideas are in bot.ml.

   Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away. *)

(* --- just enough XML ------------------------------------------------------------------------------------------- *)

(* An element of XML; the text is what stands directly in it, the children are in their order once it has ended. *)
type element = {
  name : string;
  attributes : (string * string) list;
  mutable children : element list;
  text : Buffer.t;
}

(* All children of this name; the first one; an attribute, which is empty when there is none. *)
let all name element = List.filter (fun child -> child.name = name) element.children
let child name element = List.find_opt (fun child -> child.name = name) element.children
let attribute name element = Option.value (List.assoc_opt name element.attributes) ~default:""

(* The moves that a state lists, at any depth: elements play, or forfeit, with an id. *)
let rec listed_moves element =
  let is_move = List.mem element.name [ "play"; "forfeit" ] && List.mem_assoc "id" element.attributes in
  (if is_move then [ element ] else []) @ List.concat_map listed_moves element.children

(* An attribute of the first child of this name, and the text in it; empty without it. *)
let fact name of_it element = Option.fold ~none:"" ~some:(attribute of_it) (child name element)
let text_of name element = Option.fold ~none:"" ~some:(fun child -> Buffer.contents child.text) (child name element)

(* The text as the value of an attribute. *)
let escape text =
  let value = Buffer.create (String.length text) in
  String.iter
    (function
      | ('&' | '<' | '>' | '"') as sign -> Printf.bprintf value "&#%d;" (Char.code sign)
      | sign -> Buffer.add_char value sign)
    text;
  Buffer.contents value

(* The text with references such as &amp; and &#233; replaced. *)
let unescape text =
  let done_ = Buffer.create (String.length text) in
  let character word =
    match word with
    | "lt" -> "<"
    | "gt" -> ">"
    | "amp" -> "&"
    | "quot" -> "\""
    | "apos" -> "'"
    | _ when String.length word > 1 && word.[0] = '#' -> (
        let digits = String.sub word 1 (String.length word - 1) in
        match int_of_string_opt (if digits.[0] = 'x' then "0" ^ digits else digits) with
        | Some number when Uchar.is_valid number ->
            let bytes = Buffer.create 4 in
            Buffer.add_utf_8_uchar bytes (Uchar.of_int number);
            Buffer.contents bytes
        | _ -> "")
    | _ -> ""
  in
  let rec from at =
    match String.index_from_opt text at '&' with
    | None -> Buffer.add_substring done_ text at (String.length text - at)
    | Some sign -> (
        Buffer.add_substring done_ text at (sign - at);
        match String.index_from_opt text sign ';' with
        | None -> Buffer.add_substring done_ text sign (String.length text - sign)
        | Some stop ->
            Buffer.add_string done_ (character (String.sub text (sign + 1) (stop - sign - 1)));
            from (stop + 1))
  in
  from 0;
  Buffer.contents done_

(* Whether `what` stands in the text at this place, and where it does from there on. *)
let stands what text at =
  at + String.length what <= String.length text && String.sub text at (String.length what) = what

let rec find what text at =
  match String.index_from_opt text at what.[0] with
  | exception Invalid_argument _ -> None
  | None -> None
  | Some place -> if stands what text place then Some place else find what text (place + 1)

(* Where the piece of markup ends that begins here; None when it is not complete yet. It is a comment, a CDATA section, a
   processing instruction (the XML declaration is one), or a tag, in whose attribute values a ">" may stand. *)
let markup_end text start =
  let length = String.length text in
  let sections = [ ("<!--", "-->"); ("<![CDATA[", "]]>"); ("<?", "?>") ] in
  let rec tag at quote =
    if at >= length then None
    else
      match (text.[at], quote) with
      | sign, Some opened -> tag (at + 1) (if sign = opened then None else quote)
      | (('"' | '\'') as sign), None -> tag (at + 1) (Some sign)
      | '>', None -> Some (at + 1)
      | _ -> tag (at + 1) None
  in
  let begins (first, _) =
    let here = min (String.length first) (length - start) in
    String.sub text start here = String.sub first 0 here
  in
  match List.find_opt begins sections with
  | Some (first, last) when stands first text start ->
      Option.map (fun at -> at + String.length last) (find last text (start + String.length first))
  | Some _ -> None (* it may yet become one *)
  | None -> tag start None

(* The element of a tag. *)
let new_element tag =
  let length = String.length tag in
  let blank sign = String.contains " \t\r\n/>" sign in
  let rec skip wanted at = if at < length && wanted tag.[at] then skip wanted (at + 1) else at in
  let name_end = skip (fun sign -> not (blank sign)) 1 in
  let rec attributes at found =
    let from = skip blank at in
    let stop = skip (fun sign -> not (blank sign || sign = '=')) from in
    let opened = skip (fun sign -> sign <> '"' && sign <> '\'') stop in
    if opened >= length then found
    else
      let closed = String.index_from tag (opened + 1) tag.[opened] in
      let value = unescape (String.sub tag (opened + 1) (closed - opened - 1)) in
      attributes (closed + 1) ((String.sub tag from (stop - from), value) :: found)
  in
  { name = String.sub tag 1 (name_end - 1); attributes = attributes name_end []; children = []; text = Buffer.create 16 }

(* Cuts what arrives into documents and makes each a tree of elements. TCP knows no documents: one may come in many pieces,
   and one piece may hold many. So we keep the elements that are open, innermost first, and a document ends with the tag
   that closes the last of them. *)
type documents = {
  mutable buffer : string;
  mutable position : int; (* the buffer up to here has been looked at *)
  mutable opened : element list;
}

let documents () = { buffer = ""; position = 0; opened = [] }

(* Handles a piece of markup; gives the root element when that is the end of it. *)
let take markup documents =
  let kind = markup.[1] in
  let add text = match documents.opened with [] -> () | inner :: _ -> Buffer.add_string inner.text text in
  if stands "<![CDATA[" markup 0 then add (String.sub markup 9 (String.length markup - 12));
  if kind = '!' || kind = '?' then None
  else begin
    if kind <> '/' then documents.opened <- new_element markup :: documents.opened;
    match documents.opened with
    | ended :: rest when kind = '/' || markup.[String.length markup - 2] = '/' -> (
        documents.opened <- rest;
        ended.children <- List.rev ended.children;
        match rest with
        | [] -> Some ended
        | outer :: _ ->
            outer.children <- ended :: outer.children;
            None)
    | _ -> None
  end

(* Takes the next bytes; gives the documents that are complete with them. *)
let feed documents bytes =
  documents.buffer <- documents.buffer ^ bytes;
  let rec more complete =
    let text = documents.buffer in
    match String.index_from_opt text documents.position '<' with
    | None -> List.rev complete
    | Some start -> (
        match markup_end text start with
        | None -> List.rev complete (* no complete piece of markup left: wait for more *)
        | Some stop -> (
            (match documents.opened with
            | [] -> ()
            | inner :: _ ->
                let between = String.sub text documents.position (start - documents.position) in
                Buffer.add_string inner.text (unescape between));
            documents.position <- stop;
            match take (String.sub text start (stop - start)) documents with
            | None -> more complete
            | Some root ->
                documents.buffer <- String.sub text stop (String.length text - stop);
                documents.position <- 0;
                more (root :: complete)))
  in
  more []

(* --- the protocol: XML documents, one after another, with nothing between them ---------------------------------- *)

(* What plays one game: it takes in each <gameState>, ours to move or not, and gives our move, as it stands between <move>
   and </move>; "" when we know none. *)
type bot = { sees : element -> unit; move : unit -> string }

(* Seconds of silence without a game; then we ask what we wait for. *)
let silence = 3.

(* Documents of ours that the server refuses without a whole game in between; then the next one is no better. *)
let most_refused = 3

(* Connections that end before our login was answered; then it is no use to go on. *)
let most_unanswered = 4

let no_server = "nobody answers a login there: is it the right port? It may speak TLS, which this bot does not"

(* Why a server does not let us in, by the number of its error. *)
let refusal = function
  | "1" -> "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)"
  | "2" -> "this server does not offer this game"
  | "3" -> "there is no room: the server or the pool of the game is full, or a championship has begun"
  | _ -> "the server does not say why"

(* What has to be remembered from one connection to the next. *)
type player = {
  new_bot : unit -> bot;
  nick : string;
  game_type : string;
  program : string; (* the name and version of this bot, as an element *)
  games : int; (* 0: play on *)
  token : string; (* of the nick, where nicks have tokens; not on the command line, which all can see *)
  mutable session_file : string; (* where the token of our session is kept; empty: nowhere *)
  asking : string; (* how the server is asked about us and our games, where that token is kept *)
  mutable hinted : bool; (* we have said how a server is started *)
  mutable line : Unix.file_descr;
  mutable bot : bot;
  mutable current : string;
  mutable called : string; (* the nick that the server knows us by: of "NAME#TOKEN" it is the name *)
  mutable counted : string; (* the game that was counted last: after a cut line we may hear of its end once more *)
  mutable in_session : bool; (* the server has told us of a session of ours, in this run *)
  mutable answered : bool; (* we have just come back, and the server waits for no move of ours *)
  mutable back : bool; (* we have just come back into a game: what we know of it may be old, or nothing *)
  mutable held : element option; (* the last state, as long as we wait for those before it *)
  mutable session : string; (* its token: who shows it goes on with the game after a cut line; empty without one *)
  mutable played : int;
  mutable welcome : bool; (* we were let in before, so a refusal means that the server has not missed us yet *)
  mutable at_a_loss : bool; (* we have logged out, for want of a move *)
  mutable explained : bool; (* the server has said why it refuses our login *)
  mutable explains : bool; (* it says what we wait for when it is asked *)
  mutable asks : bool; (* we shall ask *)
  mutable lists : bool; (* it shows all states of our game when it is asked *)
  mutable kept : float; (* the server keeps the nick for so many seconds, perhaps for an earlier start of ours *)
  mutable waited : bool; (* for that; we do so once *)
  mutable refused : bool; (* or it is no use to try again for another reason *)
  mutable broken : int; (* how often the server has put us out since the last whole game *)
  mutable unanswered : int; (* connections in a row that ended before our login was answered *)
  mutable pause : float; (* seconds before the next connection, at most; twice as many each time, until we are let in *)
}

exception Over
exception Stopped (* by somebody outside *)

(* Sends one message, or several in one piece, which begins with the XML declaration. *)
let say me body =
  let bytes = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" ^ body in
  ignore (Unix.write_substring me.line bytes 0 (String.length bytes))

let entered me message =
  me.unanswered <- 0;
  if fact "response" "accept" message <> "yes" then begin
    if me.kept > 0. then raise Over;
    let number = fact "error" "id" message in
    Printf.printf "login refused%s (error %s)\n%!" (if me.explained then "" else ": " ^ refusal number) number;
    me.explained <- false;
    me.refused <- not me.welcome;
    raise Over
  end;
  me.welcome <- true;
  me.waited <- false;
  me.pause <- 1.;
  me.asks <- me.explains;
  let name = List.hd (String.split_on_char '#' me.nick) (* what stands behind it may be a token *) in
  Printf.printf "logged in as %s%s\n%!" name me.asking

let login me =
  Printf.sprintf "<message type=\"playerLogin\"><playerLogin nick=\"%s\" gameType=\"%s\"/></message>" (escape me.nick)
    (escape me.game_type)

(* The answer to our question what we wait for. *)
let told message =
  if attribute "type" message = "x-account" then
    Printf.printf "waiting: %s\n%!" (String.concat "; " (String.split_on_char '\n' (text_of "account" message)))

(* Writes the token of our session down, for us alone: who has it can take our seat. *)
let keep_token me =
  try
    let file = open_out_gen [ Open_wronly; Open_creat; Open_trunc ] 0o600 me.session_file in
    Fun.protect
      ~finally:(fun () -> close_out_noerr file)
      (fun () ->
        output_string file (me.session ^ "\n");
        try flush file with Sys_error why -> raise (Sys_error (me.session_file ^ ": " ^ why)))
  with Sys_error failure ->
    print_endline ("cannot write " ^ failure ^ "; playing on without it");
    me.session_file <- ""

let in_session me message =
  let resumed = fact "session" "resumed" message = "yes" in
  me.session <- fact "session" "token" message;
  me.in_session <- true;
  let nick = fact "session" "nick" message in
  if nick <> "" then me.called <- nick;
  me.answered <- fact "session" "turn" message = "no";
  me.back <- resumed && fact "session" "turn" message <> "";
  if me.session_file <> "" then keep_token me;
  if resumed then print_endline (if me.back then "back again" else "back again: no game of yours goes on")

(* The server asks whether we are there. *)
let pong me = function
  | "" -> say me "<message type=\"x-pong\"/>"
  | number -> say me (Printf.sprintf "<message type=\"x-pong\" ref=\"%s\"/>" (escape number))

(* Logs in when the server does not take us back; whether that was it. *)
let is_session_over me why =
  let over = me.session <> "" && me.unanswered > 0 in
  if over then begin
    (* Else the token is of an earlier start, which may have ended well. *)
    if me.in_session then Printf.printf "the session is over: %s\n%!" why;
    me.session <- "";
    me.current <- "";
    say me (login me)
  end;
  over

(* Why a login is refused comes before its answer. *)
let failed me message =
  let reason = text_of "reason" message and wait = fact "reason" "waitSec" message in
  if not (is_session_over me reason) then
    match float_of_string_opt wait with
    | Some seconds when fact "reason" "code" message = "DUPLICATE_USER" && not me.waited ->
        Printf.printf "the nick is kept for %s s more: waiting\n%!" wait;
        me.kept <- seconds;
        me.waited <- true
    | _ ->
        Printf.printf "the server says: %s\n%!" reason;
        if find "has a token" reason 0 <> None && me.token = "" then
          print_endline "where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment";
        me.explained <- true

(* What an error says that we are in our game, which is over for us then: no end of it is shown to us. *)
let end_in me error =
  let beginnings = [ ("game void:", "void"); ("removed by the game master", "loser"); ("document refused", "loser") ]
  (* won or drawn when we were away *)
  and ends = [ ("lost", "loser"); ("won", "winner"); ("drawn", "a draw") ] in
  match List.find_opt (fun (beginning, _) -> stands beginning error 0) beginnings with
  | Some (_, result) -> Some result
  | None ->
      let is_named (word, _) = find ("game " ^ me.current ^ " is " ^ word) error 0 <> None in
      Option.map snd (List.find_opt is_named ends)

(* Counts our game as played, once; whether that was the last one. *)
let is_last me =
  (* none after the last one: what was under way when we logged out may yet come *)
  if me.current <> me.counted && (me.games = 0 || me.played < me.games) then me.played <- me.played + 1;
  me.counted <- me.current;
  me.played = me.games

let rec shown me message =
  let id = fact "gameId" "id" message in
  let game = Printf.sprintf "<gameId id=\"%s\"/>" (escape id) in
  if id <> me.current then begin
    (* we hear of a new game by its first state *)
    me.current <- id;
    Printf.printf "in game %s\n%!" id;
    me.bot <- me.new_bot ();
    me.held <- None
  end;
  Option.iter me.bot.sees (child "gameState" message);
  if me.back && me.lists then begin
    me.back <- false;
    me.held <- Some message;
    say me (Printf.sprintf "<message type=\"x-listStates\" ref=\"states\">%s</message>" game)
  end
  else if me.held <> None then begin
    (* it is among those that come, or comes once more behind them *)
    me.answered <- false;
    me.held <- Some message
  end
  else go_on me message id game

(* Answers a state that the bot has seen. *)
and go_on me message id game =
  let answered = me.answered in
  me.answered <- false;
  if fact "nextPlayer" "nick" message = me.called && not answered then
    begin match me.bot.move () with
    | "" ->
        print_endline "this state lists no moves that I know how to choose";
        me.at_a_loss <- true;
        me.refused <- true;
        say me "<message type=\"logout\"/>"
    | move -> say me (Printf.sprintf "<message type=\"move\">%s<move>%s</move></message>" game move)
    end;
  let ended over =
    let players = all "player" over in
    let own = List.filter (fun one -> attribute "nick" one = me.called) players in
    let drawn =
      match List.map (attribute "result") players with
      | first :: (_ :: _ as others) -> List.for_all (( = ) first) others
      | _ -> false
    in
    let result one = if drawn then "a draw" else attribute "result" one in
    List.iter (fun one -> Printf.printf "game over: %s in %s\n%!" (result one) id) own;
    me.broken <- 0;
    (* A "thank you" would make us ready for a next game, so after the last one good-bye takes its place. The server closes
       now; reading on until then makes sure that it got our last word. *)
    if is_last me then say me "<message type=\"logout\"/>"
    else say me (Printf.sprintf "<message type=\"thank you\">%s</message>" game)
  in
  let over = child "gameOver" message in
  me.asks <- me.explains && over <> None;
  Option.iter ended over

(* All states before the last one, which comes once more now. *)
let recall me message =
  if me.held <> None then begin
    me.held <- None;
    me.bot <- me.new_bot ();
    List.iter (fun shown -> Option.iter me.bot.sees (child "gameState" shown)) (all "shown" message)
  end

(* The server does not show them: we go on with what we know. *)
let go_on_without me =
  let last = me.held in
  me.held <- None;
  Option.iter (shown me) last

let answer me message =
  match attribute "type" message with
  | _ when attribute "ref" message = "waiting" -> told message
  | "loginResponse" -> entered me message
  | "x-hello" -> (* what the server knows beyond the protocol *)
      let granted = List.map (attribute "name") (all "ext" message) in
      me.explains <- List.mem "reason" granted;
      me.lists <- List.mem "state" granted
  | "x-session" -> in_session me message
  | "x-ping" -> pong me (attribute "ref" message)
  | "gameState" -> shown me message
  | "x-states" -> recall me message
  | "x-verdict" ->
      let said = List.map (fun name -> text_of name message) [ "account"; "said" ] in
      Printf.printf "why: %s\n%!" (String.concat "; " (List.filter (( <> ) "") said))
  | "x-reason" -> Printf.printf "the game master says that we broke a rule: %s\n%!" (text_of "cause" message)
  | "x-failed" when attribute "ref" message = "states" -> go_on_without me
  | "x-failed" -> failed me message
  | "error" ->
      let text = String.trim (Buffer.contents message.text) in
      if not (is_session_over me text) then begin
        Printf.printf "the server says: %s\n%!" text;
        if stands "document refused" text 0 || stands "this session continues" text 0 then me.broken <- me.broken + 1;
        match end_in me text with
        | Some result when me.current <> "" && me.current <> me.counted ->
            Printf.printf "game over: %s in %s\n%!" result me.current;
            me.asks <- me.explains;
            me.held <- None;
            if is_last me then say me "<message type=\"logout\"/>"
        | _ -> ()
      end
  | "serverShutdown" ->
      me.session <- ""; (* sessions end with a server that says good-bye *)
      print_endline "the server shuts down"
  | _ -> () (* such as championsList: good to know, but it asks nothing of us *)

(* A line to the server. *)
let connect host port =
  let rec first = function
    | [] -> raise Not_found
    | found :: others -> (
        let line = Unix.socket found.Unix.ai_family Unix.SOCK_STREAM 0 in
        try
          Unix.connect line found.Unix.ai_addr;
          Unix.setsockopt line Unix.TCP_NODELAY true; (* moves are small and must not wait *)
          line
        with Unix.Unix_error _ as error ->
          Unix.close line;
          if others = [] then raise error else first others)
  in
  first (Unix.getaddrinfo host port [ Unix.AI_SOCKTYPE Unix.SOCK_STREAM ])

(* Our last word when somebody stops us, or the server would keep the nick for us. It closes then. *)
let log_out me =
  let rest = Bytes.create 65536 in
  try
    Unix.setsockopt_float me.line Unix.SO_RCVTIMEO 2.;
    say me "<message type=\"logout\"/>";
    while Unix.read me.line rest 0 (Bytes.length rest) > 0 do () done
  with Unix.Unix_error _ -> ()

(* Connects, logs in and plays until the server closes. *)
let play me host port =
  me.line <- connect host port;
  Fun.protect ~finally:(fun () -> Unix.close me.line) @@ fun () ->
  me.unanswered <- me.unanswered + 1;
  me.explains <- false;
  me.asks <- false;
  me.lists <- false;
  me.back <- false;
  me.held <- None;
  if me.session = "" then me.current <- "";
  (* First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so in
     an error. *)
  let identity =
    if me.token = "" then "" else Printf.sprintf "<identity token=\"%s\"/>" (escape me.token)
  in
  let resume = Printf.sprintf "<message type=\"x-resume\"><session token=\"%s\"/></message>" (escape me.session) in
  let families = "<ext name=\"session\"/><ext name=\"state\"/><ext name=\"reason\"/>" in
  say me
    (Printf.sprintf "<message type=\"x-hello\">%s%s%s</message>%s" families me.program identity
       (if me.session = "" then login me else resume));
  let documents = documents () and piece = Bytes.create 65536 in
  let rec listen () =
    (* After a silence without a game we ask what we wait for. *)
    if me.asks && Unix.select [ me.line ] [] [] silence = ([], [], []) then begin
      say me "<message type=\"x-why\" ref=\"waiting\"/>";
      me.asks <- false
    end;
    match Unix.read me.line piece 0 (Bytes.length piece) with
    | 0 -> ()
    | length ->
        List.iter (answer me) (feed documents (Bytes.sub_string piece 0 length));
        listen ()
  in
  (try listen () with
  | Over -> ()
  | Stopped ->
      log_out me;
      raise Stopped);
  if me.kept = 0. && not me.at_a_loss && (me.games = 0 || me.played < me.games) then print_endline "the server has closed the connection";
  if me.unanswered = 1 && not me.welcome then print_endline no_server

let usage () =
  prerr_endline "usage: bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]";
  exit 2

(* The token in a file, if there is one. *)
let read_token path =
  if path = "" || not (Sys.file_exists path) then ""
  else
    let file = open_in path in
    let token = try String.trim (input_line file) with End_of_file -> "" in
    close_in file;
    token

(* Sees that the token of our session can be written down, before there is one; else the program ends. *)
let check_writable path =
  try close_out (open_out_gen [ Open_wronly; Open_creat; Open_append ] 0o600 path)
  with Sys_error failure ->
    print_endline ("cannot write " ^ failure);
    exit 1

(* At Ctrl-C and the like; who presses it once more does not wait. *)
let stop number =
  Sys.set_signal number Sys.Signal_default;
  raise Stopped

(* What the bot does, but each error of its own ends the program, with its place: one of a file would be taken for a cut
   line. *)
let guarded act given =
  try act given with
  | Stopped -> raise Stopped
  | error ->
      prerr_endline ("Fatal error: exception " ^ Printexc.to_string error);
      Printexc.print_backtrace stderr;
      exit 2

(* Does what the command line says, and ends the program. Each game gets a bot of its own; the type is what it plays;
   the name and the version are what the server shows. *)
let run new_bot game_type name version =
  Random.self_init ();
  Printexc.record_backtrace true;
  let new_bot () =
    let bot = new_bot () in
    { sees = guarded bot.sees; move = guarded bot.move }
  in
  Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
  let rec options game_type games token session_file = function
    | [] -> (game_type, games, token, session_file)
    | "--game" :: game_type :: rest -> options game_type games token session_file rest
    | "--token-file" :: path :: _ when not (Sys.file_exists path) ->
        prerr_endline (path ^ ": no such file");
        exit 2
    | "--token-file" :: path :: rest -> options game_type games (read_token path) session_file rest
    | "--session-file" :: session_file :: rest -> options game_type games token session_file rest
    | "--games" :: number :: rest when Option.fold ~none:false ~some:(( < ) 0) (int_of_string_opt number) ->
        options game_type (int_of_string number) token session_file rest
    | _ -> usage ()
  in
  match List.tl (Array.to_list Sys.argv) with
  | host :: port :: nick :: rest ->
      let token = Option.value ~default:"" (Sys.getenv_opt "UGS_TOKEN") in
      let game_type, games, token, session_file = options game_type 0 token "" rest in
      if session_file <> "" then check_writable session_file;
      let asking =
        if session_file = "" then ""
        else Printf.sprintf " (why? ugs why --connect %s:%s --session-file %s)" host port session_file
      in
      let program = Printf.sprintf "<program name=\"%s\" version=\"%s\"/>" (escape name) (escape version) in
      let me =
        { new_bot; asking; hinted = false; nick; called = nick; game_type; program; games; token; session_file; line = Unix.stdin; bot = new_bot (); current = ""; played = 0;
          counted = ""; in_session = false; answered = false; back = false; held = None; session = read_token session_file;
          welcome = false; at_a_loss = false; explained = false; explains = false; asks = false; lists = false; kept = 0.; waited = false;
          refused = false; broken = 0; unanswered = 0; pause = 1. }
      in
      let no_connection why =
        print_endline ("no connection: " ^ why);
        if not (me.welcome || me.unanswered > 0 || me.hinted) then begin
          me.hinted <- true;
          print_endline "no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one"
        end
      in
      let rec again () =
        (try play me host port with
        | Unix.Unix_error (error, _, _) -> no_connection (Unix.error_message error)
        | Not_found -> no_connection ("there is no host " ^ host));
        if games > 0 && me.played = games then exit 0;
        if me.broken >= most_refused then begin
          print_endline "the server has put us out three times in a row: it says above why";
          exit 1
        end;
        if me.unanswered >= most_unanswered && (not me.welcome) && not me.refused then begin
          print_endline no_server;
          me.refused <- true
        end;
        if me.refused then exit 1;
        (* not all bots at once *)
        Unix.sleepf (if me.kept > 0. then me.kept else me.pause *. (0.2 +. Random.float 0.8));
        me.kept <- 0.;
        me.pause <- Float.min (2. *. me.pause) 30.;
        again ()
      in
      List.iter (fun number -> Sys.set_signal number (Sys.Signal_handle stop)) [ Sys.sigint; Sys.sigterm ];
      (try again ()
       with Stopped ->
         print_endline "stopped";
         exit 0)
  | _ -> usage ()
