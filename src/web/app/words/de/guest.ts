/** The page of an upload link. */
import type { Words } from "../en.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

export const guest: Words["guest"] = {
  title: "Fotos senden",
  asks: "Nachricht der Person, die dir den Link geschickt hat",
  takes: (files, size, until) =>
    `Bis zu ${count(files, "Datei", "Dateien")} und zusammen ${size}, bis ` +
    `${until}.`,
  choosePhotos: "Fotos wählen",
  choose: "Andere Dateien",
  folder: "Einen ganzen Ordner",
  camera: "Foto aufnehmen",
  dropHint: "Zieh Fotos, Videos und andere Dateien hierher, oder füg sie ein.",
  drop: "Loslassen zum Senden",
  files: "Dateien, die gesendet werden",
  sending: (n) => `${count(n, "Datei wird", "Dateien werden")} gesendet`,
  arrived: (n) =>
    `${
      count(n, "Datei ist", "Dateien sind")
    } angekommen. Du kannst die Seite ` +
    "schließen.",
  arrivedSome: (n, not) =>
    `${count(n, "Datei ist", "Dateien sind")} angekommen, ${not} nicht.`,
  knownOnly: (n) =>
    `${count(n, "Datei war", "Dateien waren")} schon gesendet. Du kannst die ` +
    "Seite schließen.",
  checked: "wird vom Server geprüft",
  progressOf: (name) => `Fortschritt von ${name}`,
  again: (name) => `Noch einmal: ${name}`,
  cancel: (name) => `${name} abbrechen`,
  remove: (name) => `${name} entfernen`,
  states: {
    waiting: "wartet",
    preparing: "wird vorbereitet",
    sending: "wird gesendet",
    kept: "angekommen",
    known: "dasselbe wurde schon gesendet",
    back: "angekommen",
    failed: "",
  },
  halts: {
    paused: "Angehalten.",
    offline: "Keine Verbindung. Es geht von selbst weiter, sobald eine da ist.",
    full:
      "Wer um die Dateien bittet, hat keinen Platz mehr. Sag Bescheid und " +
      "mach dann weiter.",
    lying: "Die Quittung des Servers stimmt nicht, deshalb wird nichts mehr " +
      "gesendet. Sag es dem Menschen, der dir den Link geschickt hat.",
  },
  offline: (seconds) =>
    `Keine Verbindung, oder der Server ist beschäftigt. Neuer Versuch in ${
      count(seconds, "Sekunde", "Sekunden")
    }.`,
  noMoreFiles: (n) =>
    `Der Link nimmt nicht mehr als ${count(n, "Datei", "Dateien")}.`,
  tooBig: (left) => `Zu groß: Der Link hat noch Platz für ${left}.`,
  changed: "Die Datei wurde geändert, während sie gesendet wurde. Wähl sie " +
    "noch einmal.",
  unreadable: "Dein Browser kann diese Datei nicht mehr lesen. Wähl sie noch " +
    "einmal.",
  noLink: "Dieser Link ist nicht ganz: An seiner Adresse fehlt etwas, oder " +
    "es ist etwas dazugekommen. Kopiere ihn noch einmal von dort, wo du ihn " +
    "hast, oder lass ihn dir noch einmal geben.",
  noKey: "Dieser Link ist nicht vollständig: Sein letzter Teil fehlt. " +
    "Lass dir den ganzen Link geben.",
  badKey: "Dieser Link ist beschädigt: Sein letzter Teil ist nicht ganz. " +
    "Lass dir den Link noch einmal geben.",
  wrongKey:
    "Der Server nannte einen anderen Empfänger als den, für den dieser " +
    "Link gemacht ist. Nichts wurde gesendet. Frag den Menschen, der dir den " +
    "Link geschickt hat.",
  ended: "Diesen Link gibt es nicht, oder er ist beendet.",
  usedUp: "Dieser Link nimmt nichts mehr an: Er ist aufgebraucht.",
  foot:
    "Dateien werden in deinem Browser verschlüsselt, auch ihre Namen. Nur " +
    "der Mensch, der dir diesen Link geschickt hat, kann sie öffnen, der " +
    "Server nicht.",
  codes: {
    "error.upload_link.exhausted": "Der Link nimmt nichts mehr an: Er ist " +
      "aufgebraucht.",
    "error.upload_link.not_found": "Der Link ist beendet.",
    "error.upload.not_found": "Das hat zu lange gedauert, und was gesendet " +
      "war, ist fort. Versuch es noch einmal.",
    "error.upload.hash_mismatch": "Sie kam nicht so an, wie sie gesendet " +
      "wurde. Versuch es noch einmal.",
    "error.upload.incomplete": "Sie kam nicht ganz an. Versuch es noch einmal.",
    "error.request.too_large": "So große Dateien nimmt der Server nicht.",
    "error.storage.full": "Der Server hat keinen Platz mehr.",
    "error.storage.quota_exceeded": "Wer um die Dateien bittet, hat keinen " +
      "Platz mehr.",
  },
};
