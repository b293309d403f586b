import featurecat.lizzie.Lizzie;
import featurecat.lizzie.analysis.HumanSlAnalysisRunner;
import featurecat.lizzie.rules.BoardHistoryNode;
import featurecat.lizzie.util.Utils;
import featurecat.lizzie.util.katago.tuning.KataGoBenchmarkObservation;
import featurecat.lizzie.util.katago.tuning.KataGoBenchmarkParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * LizzieYzy Next's window on a record, as LizzieYzyGame.java does with LizzieYzy's; and what it added: the graph of the
 * whole game at once, a point that is followed, and moves of human style.
 *
 * <p>Usage: LizzieNextGame RECORD COMMAND ANALYSIS HUMAN MOVE..., in an empty folder; ANALYSIS is the command line of the
 * engine by JSON, HUMAN a network of human style.
 */
public class LizzieNextGame extends LizzieYzyGame {
  public static void main(String[] args) throws Exception {
    String analysis = args[2];
    JSONObject look = new JSONObject().put("tracking-analysis-max-visits", ENOUGH);
    look.put("analysis-engine-command", analysis).put("analysis-engine-command-customized", true);
    look.put("estimate-command", args[1]);
    open(args[0], args[1], look);
    // It draws the graph by itself, at a visit for each position.
    until("the record is there", () -> Lizzie.board.getHistory().mainTrunkLength() > 300);
    until("the whole game has a graph", () -> looked() >= Lizzie.board.getHistory().mainTrunkLength());
    JSONObject found = new JSONObject().put("graph", Lizzie.board.getHistory().mainTrunkLength());

    JSONArray shown = new JSONArray();
    for (int at = 4; at < args.length; at++) shown.put(analysed(Integer.parseInt(args[at])));
    found.put("isKataGo", Lizzie.leelaz.isKatago).put("shown", shown);

    until("a point is followed", () -> Lizzie.frame.addTrackingPoint("A1").name().matches("ADDED|DUPLICATE"));
    until("it is looked at", () -> Lizzie.frame.trackingAnalysisController().snapshot().results().containsKey("A1"));
    var point = Lizzie.frame.trackingAnalysisController().snapshot().results().get("A1");
    found.put("followed", new JSONObject().put("winrate", point.winrate()).put("lead", point.scoreLead()));
    Lizzie.frame.clearTrackingPoints();

    Lizzie.leelaz.analyzeAvoid("allow", Lizzie.board.getData().blackToPlay ? "b" : "w", "A1,A2", 1);
    found.put("allowed", only(List.of("A1", "A2")));
    // Who owns what by the network's first impression.
    Lizzie.frame.countstones(true);
    until("it is counted", () -> Lizzie.frame.estimateResults != null && lead() != 0);
    found.put("counted", lead());
    found.put("human", human(analysis, Path.of(args[3])));
    found.put("played", played()).put("fastest", fastest(analysis));
    System.out.println("\n" + found);
    System.exit(0);
  }

  /** Black's points less White's, as it has counted them. */
  static int lead() {
    return Lizzie.frame.estimateResults.allBlackCounts - Lizzie.frame.estimateResults.allWhiteCounts;
  }

  /** How many positions of the game have been looked at. */
  static int looked() {
    int looked = 0;
    BoardHistoryNode node = Lizzie.board.getHistory().getStart();
    for (; node != null; node = node.next().orElse(null)) if (node.getData().getPlayouts() > 0) looked++;
    return looked;
  }

  /** The numbers of threads that were measured, and which of them is recommended. */
  static JSONArray fastest(String analysis) throws Exception {
    List<String> command = new ArrayList<>(Utils.splitCommand(analysis.replace(" analysis ", " benchmark ")));
    command.addAll(List.of("-config", "gtp.cfg", "-s", "-n", "2", "-v", "2", "-time", "5", "-override-config", "logToStderr=false"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    KataGoBenchmarkObservation seen = KataGoBenchmarkParser.parse(new String(process.getInputStream().readAllBytes()), 0);
    return new JSONArray().put(seen.metrics().size()).put(seen.recommendedThreads());
  }

  /** A move as a player of this rank would play it. */
  static String human(String analysis, Path network) {
    BoardHistoryNode node = Lizzie.board.getHistory().getCurrentHistoryNode();
    try (HumanSlAnalysisRunner runner = new HumanSlAnalysisRunner(analysis, network)) {
      if (!runner.verifyReady(node, "rank_5k", Duration.ofMinutes(2))) return runner.getUnavailableReason();
      return runner.bestHumanMove(node, "rank_5k", Duration.ofMinutes(2)).orElse(runner.getUnavailableReason());
    }
  }
}
