(* Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.ml.

     dune build && _build/default/bot.exe HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]

   As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random. *)

let name = "mybot" and version = "1" (* what the page of your bot shows: the results of each version *)
let game_type = "5-in-line-tic-tac-toe"
let size = 20 (* of the board, as long as no state shows another one *)

(* One game; there is a new bot for each. *)
let new_bot () =
  let taken = ref (Array.make_matrix size size false) (* fields with a stone, by column *) in
  let legal = ref [] (* the legal moves, where the state lists them: elements with an id *) in
  let foreign = ref false (* the state is none of five in line *) in

  (* Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
     size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's. *)
  let sees state =
    (match (int_of_string_opt (Protocol.attribute "width" state), int_of_string_opt (Protocol.attribute "height" state)) with
    | Some width, Some height -> taken := Array.make_matrix width height false
    | _ -> ());
    let put tac =
      let number name = int_of_string (Protocol.attribute name tac) in
      !taken.(number "x").(number "y") <- true
    in
    let tacs = Protocol.all "tac" state in
    List.iter put tacs;
    legal := Protocol.listed_moves state;
    let empty = state.Protocol.children = [] && state.Protocol.attributes = [] in
    foreign := (not empty) && tacs = [] && Protocol.attribute "width" state = ""
  in

  (* Our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move. *)
  let rec move () =
    match !legal with
    | [] when !foreign -> ""
    | [] ->
        let x = Random.int (Array.length !taken) and y = Random.int (Array.length !taken.(0)) in
        if !taken.(x).(y) then move ()
        else begin
          !taken.(x).(y) <- true; (* the state that shows it may get lost with the line *)
          Printf.sprintf "<tic x=\"%d\" y=\"%d\"/>" x y
        end
    | plays ->
        let chosen = List.nth plays (Random.int (List.length plays)) in
        Printf.sprintf "<play id=\"%s\"/>" (Protocol.escape (Protocol.attribute "id" chosen))
  in
  { Protocol.sees; move }

let () = Protocol.run new_bot game_type name version
