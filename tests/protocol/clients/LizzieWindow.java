import featurecat.lizzie.Lizzie;
import featurecat.lizzie.analysis.MoveData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.json.JSONArray;

/** What the drivers of Lizzie's windows have in common. */
class LizzieWindow {
  /** So many playouts of a position are looked at. */
  static final int ENOUGH = 30;

  static JSONArray points(List<MoveData> moves) {
    JSONArray points = new JSONArray();
    for (MoveData move : new ArrayList<>(moves)) points.put(move.coordinate);
    return points;
  }

  /** The candidates, once the engine has been told to look at these points alone. */
  static JSONArray only(List<String> allowed) throws Exception {
    until(
        "its answer is about these points",
        () -> {
          List<MoveData> moves = Lizzie.leelaz.getBestMoves();
          return !moves.isEmpty() && allowed.contains(moves.get(0).coordinate);
        });
    return points(Lizzie.leelaz.getBestMoves());
  }

  static void until(String what, Callable<Boolean> condition) throws Exception {
    for (int waited = 0; !condition.call(); waited++) {
      if (waited == 2400) throw new IllegalStateException("after two minutes: not that " + what);
      Thread.sleep(50);
    }
  }
}
