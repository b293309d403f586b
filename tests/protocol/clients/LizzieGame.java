import featurecat.lizzie.Lizzie;
import featurecat.lizzie.analysis.MoveData;
import featurecat.lizzie.rules.BoardData;
import featurecat.lizzie.rules.Stone;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Lizzie's window on a record, with an engine of ours in it: steps through the record, has a part of the board looked at,
 * and lets the engine play.
 *
 * <p>Usage: LizzieGame RECORD MOVE..., in a folder whose config.txt names the engine. Prints one JSON object: what the
 * window shows of each of the positions.
 */
public class LizzieGame extends LizzieWindow {
  public static void main(String[] args) throws Exception {
    Lizzie.main(new String[] {args[0]});
    until("the engine is there", () -> Lizzie.leelaz != null && Lizzie.leelaz.isLoaded());
    JSONArray shown = new JSONArray();
    for (int at = 1; at < args.length; at++) {
      // Its own way to another position: the engine is told the moves, and asked again.
      Lizzie.board.goToMoveNumber(Integer.parseInt(args[at]));
      shown.put(analysed());
    }
    JSONObject found = new JSONObject().put("isKataGo", Lizzie.leelaz.isKataGo).put("shown", shown);

    Lizzie.leelaz.analyzeAvoid("allow", Lizzie.board.getData().blackToPlay ? "b" : "w", "A1,A2", 1);
    found.put("allowed", only(List.of("A1", "A2")));

    // As in a game against it: what it plays comes to the board.
    Lizzie.leelaz.togglePonder();
    Lizzie.frame.isPlayingAgainstLeelaz = true;
    int moves = Lizzie.board.getData().moveNumber;
    Lizzie.leelaz.genmove(Lizzie.board.getData().blackToPlay ? "B" : "W");
    until("it has played", () -> Lizzie.board.getData().moveNumber == moves + 1);
    BoardData data = Lizzie.board.getData();
    found.put("played", data.lastMoveColor == Stone.BLACK ? "black" : "white");
    found.put("title", Lizzie.frame.getTitle());
    System.out.println("\n" + found);
    Lizzie.leelaz.normalQuit();
    System.exit(0);
  }

  static JSONObject analysed() throws Exception {
    BoardData data = Lizzie.board.getData();
    // The window keeps the ownership to itself, and fills it while it is looked at.
    Field field = Lizzie.leelaz.getClass().getDeclaredField("estimateArray");
    field.setAccessible(true);
    until("it is analysed", () -> MoveData.getPlayouts(data.bestMoves) >= ENOUGH);
    until("every point has an owner", () -> ((List<?>) field.get(Lizzie.leelaz)).size() == data.stones.length);
    List<MoveData> moves = new ArrayList<>(data.bestMoves);
    MoveData best = moves.get(0);
    return new JSONObject()
        .put("move", data.moveNumber)
        .put("blackToPlay", data.blackToPlay)
        .put("winrate", data.getWinrate())
        .put("lead", best.scoreMean)
        .put("playouts", data.getPlayouts())
        .put("candidates", points(moves))
        .put("line", best.variation.size())
        .put("estimate", data.stones.length);
  }
}
