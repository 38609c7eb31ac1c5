import type { kept as words } from "../en/kept.ts";
import { NOUNS } from "./nouns.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

function wrongOnes(wrong: number): string {
  return wrong === 0
    ? "Keine Fehler gefunden."
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
  none: "Noch ist nichts gespeichert",
  noneHint: "Füge Fotos hinzu und sieh hier, dass sie sicher sind.",
  unproven: (n, noun) => {
    const [one, many] = NOUNS[noun];
    return `${
      count(n, `${one} ist`, `${many} sind`)
    } auf diesem Gerät noch nicht geprüft`;
  },
  unprovenHint:
    "Sie wurden mit einem anderen Browser oder Gerät hinzugefügt, oder " +
    "das Hinzufügen wurde unterbrochen. Der Server hat die Quittungen, " +
    "und dieses Gerät hat sie noch nicht geprüft.",
  trustDamage: {
    unreadable:
      "Die Kopie auf dem Server von dem, was deine Geräte über Personen " +
      "und Alben wissen, ist beschädigt. Dieses Gerät macht mit seiner " +
      "eigenen Kopie weiter.",
    stored_again:
      "Die Kopie auf dem Server von dem, was deine Geräte über Personen " +
      "und Alben wissen, war beschädigt. Dieses Gerät hat seine eigene " +
      "Kopie wieder gespeichert.",
  },
  checkNow: "Jetzt prüfen",
  lead: "Für jedes Foto hat der Server eine Quittung unterschrieben, und " +
    "dieses Gerät hat die Unterschriften geprüft. Jeden Tag fragt es nach " +
    "einigen Fotos. Geht eines verloren oder wird es verändert, erfährst du " +
    "es hier.",
  noBackup:
    "Eine Quittung ist keine Sicherung. Sicherungen macht die Person, " +
    "die diesen Server betreibt. So bekommst du eine eigene Kopie:",
  numbers: "Was geprüft ist, in Zahlen",
  counted: "Alle deine Fotos zählen, jedes einmal. Die im Papierkorb nicht.",
  notYet: "Noch nicht",
  all: (total) => `Alle ${total}`,
  proven: "Quittungen geprüft",
  provenHint: "Die Unterschriften des Servers sind gültig",
  confirmed: "Noch einmal bestätigt",
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
    deep: "Der Server liest jedes Foto von seiner Platte und vergleicht es. " +
      "Je Stunde schafft er eine begrenzte Menge.",
    receipts:
      "Dieses Gerät prüft jede Quittung, die der Server dir je gegeben " +
      "hat. Ein Foto hat mehrere.",
    download:
      "Dieses Gerät lädt jedes Foto herunter und vergleicht es, du musst " +
      "dem Server also nicht glauben. Das dauert so lange, wie die ganze " +
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
    `${count(n, "Foto bleibt", "Fotos bleiben")} für die nächste ` +
    "Stunde. Der Server begrenzt, wie viel er auf einmal prüft.",
  lost: (n) =>
    n === 1
      ? "Der Server hat eines deiner Fotos verloren oder beschädigt"
      : `Der Server hat ${
        n.toLocaleString("de")
      } deiner Fotos verloren oder beschädigt`,
  alarm: (n) => `${count(n, "Foto ist", "Fotos sind")} nicht in Ordnung`,
  whatNow: "Was tun?",
  alarms: "Diese Fotos",
  noName: "Ein Foto mit unbekanntem Namen",
  whats: {
    missing: "Der Server hat es nicht mehr",
    damaged: "Die Kopie auf dem Server ist beschädigt",
    withheld: "Gesperrt von der Person, die diesen Server betreibt",
    forged: "Lässt sich nicht öffnen: verändert oder mit einem anderen " +
      "Schlüssel verschlüsselt",
  },
  lostHint: "Wenn du die Dateien noch hast, auf einem Handy, einem Computer " +
    "oder einer Speicherkarte, füge sie noch einmal hinzu. Dann sind die " +
    "Fotos wieder da, mit Beschriftung, Favoriten und Alben.",
  lostReportHint:
    "Sag es der Person, die diesen Server betreibt: Vielleicht hat " +
    "eine Sicherung sie. Der Bericht nennt sie, mit den Quittungen des " +
    "Servers.",
  alarmHint: "Sag es der Person, die diesen Server betreibt.",
  addAgain: "Dateien noch einmal hinzufügen",
  lostReport: "Bericht speichern",
  gone: {
    title: "Nicht mehr hier",
    missing: "Der Server hat es verloren. Füge die Datei noch einmal hinzu, " +
      "dann ist es wieder da.",
    removed: "Die Person, der das Album gehört, hat es gelöscht. Deine " +
      "Bibliothek hat es noch.",
    removedLast:
      "Die Person, der das Album gehört, hat es gelöscht, und deine " +
      "Bibliothek hat es nicht. Füge die Datei noch einmal hinzu, um es " +
      "zu behalten.",
    more: (n) => `und ${n.toLocaleString("de")} weitere`,
    giveUp: "Von dieser Liste nehmen",
    giveUpTitle: (name) => `„${name}“ nicht mehr suchen?`,
    giveUpText:
      "Der Server hat es nicht. Es verschwindet auf allen deinen Geräten " +
      "aus dieser Liste. Du kannst die Datei trotzdem noch einmal " +
      "hinzufügen.",
  },
  logs: {
    title: "Wer diesen Server noch beobachtet",
    alarm: "Dieser Server hat Verschiedenes gesagt, oder etwas in deinem " +
      "Namen, das du nicht getan hast",
    hint: "Ein Server könnte dir etwas anderes sagen als anderen. Darum " +
      "unterschreibt er öffentliche Listen aller Quittungen und " +
      "Schlüssel. Zeugen auf anderen Servern unterschreiben, dass sie " +
      "dieselben Listen sehen wie du.",
    loading: "Wird nachgesehen …",
    off: "Dieser Server hat keine öffentlichen Listen.",
    none: "Noch bezeugt niemand diese Listen für dich. Ohne Zeugen " +
      "vergleichen nur deine Geräte miteinander, was sie sehen.",
    witnessed: (when, names, n, of) =>
      `Bezeugt ${when} von ${names} (${n} von ${of})`,
    notEnough: (names, need) =>
      `${
        names === ""
          ? "Kein Zeuge hat die neueste Liste unterschrieben"
          : `Die neueste Liste hat nur ${names} unterschrieben`
      }; nötig ${need === 1 ? "ist einer" : `sind ${need}`}.`,
    changes: (n) =>
      n === 0
        ? "Deine Schlüssel sind unverändert"
        : `Deine Schlüssel: ${count(n, "Änderung", "Änderungen")}, ${
          n === 1 ? "von dir" : "alle von dir"
        }`,
    foreign: (n) =>
      `Deine Schlüssel: ${count(n, "Änderung", "Änderungen")} NICHT von dir`,
    foreignHint: "Jemand hat in deinem Namen eine Liste von Geräten " +
      "veröffentlicht. Melde jedes Gerät ab, das du nicht kennst, und " +
      "vergleiche die Sicherheitsnummern noch einmal mit den Menschen, mit " +
      "denen du teilst.",
    toDevices: "Deine Geräte",
    unknownDevice: "eines deiner Geräte",
    notYours: "nicht von dir",
    receipts: (n) =>
      `${
        count(n, "deiner Quittungen", "deiner Quittungen")
      } nachgeschlagen und in der Liste gefunden`,
    app: (n) =>
      `Die App in diesem Browser ist die in der Liste (${
        count(n, "Datei", "Dateien")
      } verglichen).`,
    restarted: "Der Server wurde aus einer Sicherung wiederhergestellt, und " +
      "seine Listen sagen das.",
    found: "Was gefunden wurde",
    evidence: "Beweis sichern",
    evidenceHint: "Die Datei beweist jedem, ohne diesen Server, dass er zwei " +
      "verschiedene Listen unterschrieben hat.",
    known: "Ich weiß davon",
    believe: "Einem Zeugen glauben",
    believeLabel: "Der Schlüssel des Zeugen",
    believeHint: "Jemand mit einem anderen Server schickt ihn dir: Er steht " +
      "dort unter Sicherheit, als Text und als QR-Code.",
    doubt: (name) => `${name} nicht mehr glauben`,
    offer: "Gegenseitig Zeugen werden",
    offerHint: "Zeige das jemandem mit eigenem Server; wer es scannt, nimmt " +
      "es bei sich als Zeugen auf. Nimm hier den anderen auf. Wer die beiden " +
      "Server betreibt, muss sie einmal verbinden: Die Seite über Zeugen im " +
      "Handbuch sagt, wie.",
    offerNone: "Dieser Server ist kein Zeuge für andere. Wer ihn betreibt, " +
      "kann das einschalten.",
    scanFailed: "Die Kamera lässt sich nicht benutzen. Füg den Schlüssel ein.",
    qr: "Der Schlüssel dieses Servers als Zeuge",
    limits: "Das beweist nicht, dass die Fotos noch da sind, und nicht, dass " +
      "sie zeigen, was sie zu zeigen scheinen.",
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
    damaged: "Die Kopie auf dem Server wurde verändert",
  },
  receiptsOf: "Quittungen",
  receipt: (seq, when) => `Nr. ${seq.toLocaleString("de")}, ${when}`,
};
