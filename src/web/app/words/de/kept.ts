import type { kept as words } from "../en/kept.ts";
import { NOUNS } from "./nouns.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

function wrongOnes(wrong: number): string {
  return wrong === 0
    ? "Alles ist in Ordnung."
    : `${count(wrong, "ist", "sind")} nicht in Ordnung.`;
}

export const kept: typeof words = {
  title: "Sicherheit",
  allWell: (n, noun) =>
    n === 1
      ? `${noun === "file" ? "Deine" : "Dein"} ${NOUNS[noun][0]} ist ` +
        "sicher, mit Nachweis"
      : `Alle ${n.toLocaleString("de")} ${NOUNS[noun][1]} sind ` +
        "sicher, mit Nachweis",
  none: "Noch ist nichts verwahrt",
  noneHint: "Füge Fotos hinzu und sieh hier, dass sie sicher sind.",
  unproven: (n, noun) => {
    const [one, many] = NOUNS[noun];
    return `${count(n, `${one} ist`, `${many} sind`)} hier noch zu prüfen`;
  },
  unprovenHint:
    "Sie wurden mit einem anderen Browser oder Gerät hinzugefügt, " +
    "oder das Hinzufügen wurde unterbrochen. Der Server hat die Quittungen; " +
    "dieses Gerät muss sie noch prüfen.",
  trustDamage: {
    unreadable: "Der Server zeigt eine beschädigte Kopie dessen, was deine " +
      "Geräte über Personen und Alben wissen. Dieses Gerät verwendet weiter " +
      "seine eigene Kopie.",
    stored_again:
      "Der Server zeigte eine beschädigte Kopie dessen, was deine " +
      "Geräte über Personen und Alben wissen. Dieses Gerät hat seine eigene " +
      "Kopie wieder gespeichert.",
  },
  checkNow: "Jetzt prüfen",
  lead: "Für jedes Foto hat der Server eine Quittung unterschrieben, und " +
    "dieses Gerät hat die Unterschriften geprüft. Jeden Tag fragt es nach " +
    "einigen Fotos. Geht eines verloren oder wird es verändert, erfährst du " +
    "es hier.",
  noBackup:
    "Eine Quittung ist keine zweite Kopie. Für Sicherungen sorgt, wer " +
    "diesen Server betreibt. Eine eigene Kopie:",
  proven: "Quittungen geprüft",
  provenHint: "Die Unterschriften des Servers stimmen",
  confirmed: "Nachgefragt",
  confirmedHint: "Der Server sagt, dass er sie noch hat",
  readBack: "Verglichen",
  readBackHint: "Jedes Byte ist so, wie du es hinzugefügt hast",
  of: (n, total) => `${n} von ${total}`,
  checks: "Noch einmal prüfen",
  checksHint: "Freiwillig, für mehr Gewissheit.",
  checkNames: {
    confirm: "Den Server fragen",
    deep: "Den Server vergleichen lassen",
    receipts: "Jede Quittung prüfen",
    download: "Alles hier vergleichen",
  },
  checkHints: {
    confirm: "Hat er noch jedes Foto? Dauert Sekunden.",
    deep: "Der Server liest jedes Foto von seiner Platte und vergleicht es, " +
      "je Stunde eine begrenzte Menge.",
    receipts: "Alle Quittungen, die der Server dir je gab, werden angesehen.",
    download: "Jedes Foto wird geholt und auf diesem Gerät verglichen: Dem " +
      "Server wird nichts geglaubt. Das dauert so lange, wie die ganze " +
      "Sammlung herunterzuladen.",
  },
  last: (when) => `Zuletzt: ${when}`,
  knownOf: (n, of) => `Für ${n} von ${of} schon geschehen`,
  never: "In diesem Browser noch nie",
  run: "Starten",
  stop: "Anhalten",
  running: (done, of) => `${done} von ${of}`,
  outcome: (n, wrong) =>
    `${count(n, "Foto", "Fotos")} geprüft. ${wrongOnes(wrong)}`,
  outcomeOfReceipts: (n, wrong) =>
    `${count(n, "Quittung", "Quittungen")} geprüft. ${wrongOnes(wrong)}`,
  left: (n) =>
    `${count(n, "Foto bleibt", "Fotos bleiben")} für die nächste Stunde: ` +
    "Mehr schafft der Server nicht auf einmal.",
  lost: (n) =>
    n === 1
      ? "Der Server hat eines deiner Fotos verloren oder beschädigt"
      : `Der Server hat ${
        n.toLocaleString("de")
      } deiner Fotos verloren oder beschädigt`,
  alarm: (n) => `${count(n, "Foto ist", "Fotos sind")} nicht in Ordnung`,
  whatNow: "Was tun?",
  alarms: "Diese Fotos",
  noName: "Ein Foto, dessen Name nicht bekannt ist",
  whats: {
    missing: "Der Server hat es nicht mehr",
    damaged: "Die Kopie auf dem Server ist beschädigt",
    withheld: "Gesperrt von dem, der diesen Server betreibt",
    forged:
      "Lässt sich nicht öffnen: verändert, oder mit einem anderen Schlüssel gemacht",
  },
  lostHint: "Wenn du die Dateien noch hast, auf einem Handy, einem Computer " +
    "oder einer Speicherkarte, füge sie noch einmal hinzu. Dann sind die " +
    "Fotos wieder da, mit Beschriftung, Favoriten und Alben.",
  lostReportHint: "Sag es dem, der diesen Server betreibt: Vielleicht hat " +
    "eine Sicherung sie. Der Bericht nennt sie, mit den Quittungen des " +
    "Servers.",
  alarmHint: "Sag es dem, der diesen Server betreibt.",
  addAgain: "Dateien noch einmal hinzufügen",
  lostReport: "Bericht speichern",
  gone: {
    title: "Nicht mehr hier",
    missing: "Der Server hat es verloren. Füge die Datei noch einmal hinzu, " +
      "dann ist es wieder da.",
    removed: "Wem das Album gehört, hat es gelöscht. Deine Bibliothek hat es " +
      "noch.",
    removedLast:
      "Wem das Album gehört, hat es gelöscht, und deine Bibliothek " +
      "hat es nicht. Füge die Datei noch einmal hinzu, um es zu behalten.",
    more: (n) => `und ${n.toLocaleString("de")} weitere`,
    giveUp: "Von dieser Liste nehmen",
    giveUpTitle: (name) => `„${name}“ nicht mehr suchen?`,
    giveUpText: "Der Server hat es nicht. Es steht dann auf keinem deiner " +
      "Geräte mehr in dieser Liste. Du kannst die Datei trotzdem noch einmal " +
      "hinzufügen.",
  },
  report: "Bericht über alle Fotos speichern",
  reportHint: "Eine Datei, die für jedes Foto sagt, was bewiesen ist. Mit " +
    "den Quittungen überzeugt sie auch andere.",
  withReceipts: "mit allen Quittungen",
  badges: {
    unverified: "Auf diesem Gerät noch nicht geprüft",
    receipted: "Der Server hat dafür unterschrieben",
    confirmed: "Der Server hat es",
    read_back: "Verglichen und unverändert",
    missing: "Der Server hat es verloren",
    damaged: "Es wurde auf dem Server verändert",
  },
  receiptsOf: "Quittungen",
  receipt: (seq, when) => `Nr. ${seq.toLocaleString("de")}, ${when}`,
};
