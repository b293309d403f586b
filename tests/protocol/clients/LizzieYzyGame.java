import featurecat.lizzie.Lizzie;
import featurecat.lizzie.analysis.MoveData;
import featurecat.lizzie.rules.BoardData;
import featurecat.lizzie.rules.Stone;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * LizzieYzy's window on a record, as LizzieGame.java does with Lizzie's.
 *
 * <p>Usage: LizzieYzyGame RECORD COMMAND MOVE..., in an empty folder; COMMAND is the engine's command line.
 */
public class LizzieYzyGame {
  static final int ENOUGH = 30;

  public static void main(String[] args) throws Exception {
    // What its first start would ask: the language, and whether this is still the same machine.
    JSONObject engine = new JSONObject().put("command", args[1]).put("name", "guest").put("isDefault", true);
    JSONObject leelaz = new JSONObject().put("engine-settings-list", new JSONArray().put(engine));
    JSONObject look = new JSONObject().put("first-time-load", false).put("use-language", 2).put("play-sound", false);
    look.put("host-name", InetAddress.getLocalHost().getHostName()).put("first-load-katago", false);
    look.put("autoload-default", true).put("show-katago-estimate", true);
    Files.writeString(Path.of("config.txt"), new JSONObject().put("leelaz", leelaz).put("ui", look).toString());
    Lizzie.main(new String[] {args[0]});
    until("the engine is there", () -> Lizzie.leelaz != null && Lizzie.leelaz.isLoaded());
    JSONArray shown = new JSONArray();
    for (int at = 2; at < args.length; at++) {
      Lizzie.board.goToMoveNumber(Integer.parseInt(args[at]));
      shown.put(analysed());
    }
    JSONObject found = new JSONObject().put("isKataGo", Lizzie.leelaz.isKatago).put("shown", shown);

    Lizzie.leelaz.analyzeAvoid("allow", Lizzie.board.getData().blackToPlay ? "b" : "w", "A1,A2", 1);
    until("its answer is about these points", () -> at("A1") || at("A2"));
    found.put("allowed", points(Lizzie.leelaz.getBestMoves()));

    Lizzie.frame.isPlayingAgainstLeelaz = true;
    int moves = Lizzie.board.getData().moveNumber;
    Lizzie.leelaz.genmove(Lizzie.board.getData().blackToPlay ? "B" : "W");
    until("it has played", () -> Lizzie.board.getData().moveNumber == moves + 1);
    found.put("played", Lizzie.board.getData().lastMoveColor == Stone.BLACK ? "black" : "white");
    System.out.println("\n" + found);
    System.exit(0);
  }

  static JSONObject analysed() throws Exception {
    BoardData data = Lizzie.board.getData();
    until("it is analysed", () -> data.getPlayouts() >= ENOUGH && data.bestMoves != null && data.estimateArray != null);
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

  static JSONArray points(List<MoveData> moves) {
    JSONArray points = new JSONArray();
    for (MoveData move : new ArrayList<>(moves)) points.put(move.coordinate);
    return points;
  }

  static boolean at(String point) {
    List<MoveData> moves = Lizzie.leelaz.getBestMoves();
    return !moves.isEmpty() && moves.get(0).coordinate.equals(point);
  }

  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    for (int waited = 0; !condition.getAsBoolean(); waited++) {
      if (waited == 2400) throw new IllegalStateException("after two minutes: not that " + what);
      Thread.sleep(50);
    }
  }
}
