import featurecat.lizzie.Lizzie;
import featurecat.lizzie.analysis.MoveData;
import featurecat.lizzie.rules.BoardData;
import featurecat.lizzie.rules.Stone;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * LizzieYzy's window on a record, as LizzieGame.java does with Lizzie's.
 *
 * <p>Usage: LizzieYzyGame RECORD COMMAND MOVE..., in an empty folder; COMMAND is the engine's command line.
 */
public class LizzieYzyGame extends LizzieWindow {
  public static void main(String[] args) throws Exception {
    open(args[0], args[1], new JSONObject());
    JSONArray shown = new JSONArray();
    for (int at = 2; at < args.length; at++) shown.put(analysed(Integer.parseInt(args[at])));
    JSONObject found = new JSONObject().put("isKataGo", Lizzie.leelaz.isKatago).put("shown", shown);
    Lizzie.leelaz.analyzeAvoid("allow", Lizzie.board.getData().blackToPlay ? "b" : "w", "A1,A2", 1);
    found.put("allowed", only(List.of("A1", "A2"))).put("played", played());
    System.out.println("\n" + found);
    System.exit(0);
  }

  /** Opens the window on a record, with settings of its look besides the usual ones. */
  static void open(String record, String command, JSONObject look) throws Exception {
    // What its first start would ask: the language, and whether this is still the same machine.
    JSONObject engine = new JSONObject().put("command", command).put("name", "guest").put("isDefault", true);
    JSONObject leelaz = new JSONObject().put("engine-settings-list", new JSONArray().put(engine));
    look.put("first-time-load", false).put("use-language", 2).put("play-sound", false);
    look.put("host-name", InetAddress.getLocalHost().getHostName()).put("first-load-katago", false);
    look.put("autoload-default", true).put("show-katago-estimate", true);
    Files.writeString(Path.of("config.txt"), new JSONObject().put("leelaz", leelaz).put("ui", look).toString());
    Lizzie.main(new String[] {record});
    until("the engine is there", () -> Lizzie.leelaz != null && Lizzie.leelaz.isLoaded());
  }

  /** Who has played when the engine was asked for a move, as in a game against it. */
  static String played() throws Exception {
    Lizzie.frame.isPlayingAgainstLeelaz = true;
    int moves = Lizzie.board.getData().moveNumber;
    Lizzie.leelaz.genmove(Lizzie.board.getData().blackToPlay ? "B" : "W");
    until("it has played", () -> Lizzie.board.getData().moveNumber == moves + 1);
    return Lizzie.board.getData().lastMoveColor == Stone.BLACK ? "black" : "white";
  }

  static JSONObject analysed(int move) throws Exception {
    until(
        "it is analysed",
        () -> {
          // Where it has just read a record it may go to another position and pause by itself.
          if (Lizzie.board.getData().moveNumber != move) Lizzie.board.goToMoveNumber(move);
          if (!Lizzie.leelaz.isPondering()) Lizzie.leelaz.ponder();
          BoardData data = Lizzie.board.getData();
          return data.getPlayouts() >= ENOUGH && data.bestMoves != null && data.estimateArray != null;
        });
    BoardData data = Lizzie.board.getData();
    List<MoveData> moves = new ArrayList<>(data.bestMoves);
    return new JSONObject()
        .put("move", data.moveNumber)
        .put("winrate", data.winrate)
        .put("lead", moves.get(0).scoreMean)
        .put("playouts", data.getPlayouts())
        .put("candidates", points(moves))
        .put("line", moves.get(0).variation.size())
        .put("estimate", data.estimateArray.size());
  }
}
