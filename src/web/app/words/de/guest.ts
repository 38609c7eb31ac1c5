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
    handed: "wird gesendet",
    kept: "angekommen",
    known: "schon gesendet",
    back: "angekommen",
    failed: "",
  },
  halts: {
    paused: "Angehalten.",
    offline: "Keine Verbindung. Das Senden geht von selbst weiter.",
    full: "Der Speicherplatz der Person, die um die Dateien bittet, ist " +
      "voll. Sag ihr Bescheid und mach dann weiter.",
    lying: "Die Quittung des Servers ist ungültig, deshalb wird nichts mehr " +
      "gesendet. Sag es der Person, die dir den Link geschickt hat.",
  },
  offline: (seconds) =>
    `Keine Verbindung, oder der Server ist beschäftigt. Neuer Versuch in ${
      count(seconds, "Sekunde", "Sekunden")
    }.`,
  noMoreFiles: (n) =>
    `Dieser Link nimmt höchstens ${count(n, "Datei", "Dateien")} an.`,
  tooBig: (left) => `Zu groß: Dieser Link hat noch Platz für ${left}.`,
  changed: "Die Datei wurde geändert, während sie gesendet wurde. Wähl sie " +
    "noch einmal.",
  unreadable: "Dein Browser kann diese Datei nicht mehr lesen. Wähl sie noch " +
    "einmal.",
  noLink: "Dieser Link stimmt nicht: An seiner Adresse fehlt etwas, oder es " +
    "ist etwas dazugekommen. Lass ihn dir noch einmal geben.",
  noKey: "Dieser Link ist nicht vollständig: Sein letzter Teil fehlt. " +
    "Lass dir den ganzen Link geben.",
  badKey: "Dieser Link ist beschädigt: Sein letzter Teil ist unvollständig " +
    "oder wurde verändert. Lass dir den Link noch einmal geben.",
  wrongKey:
    "Der Server nannte einen anderen Empfänger als den, für den dieser " +
    "Link gemacht ist. Nichts wurde gesendet. Frag die Person, die dir " +
    "den Link geschickt hat.",
  ended: "Diesen Link gibt es nicht, oder er ist beendet.",
  usedUp: "Dieser Link ist aufgebraucht und nimmt keine Dateien mehr an.",
  foot: "Dateien werden in deinem Browser verschlüsselt, auch ihre Namen. " +
    "Nur die Person, die dir diesen Link geschickt hat, kann sie " +
    "öffnen, der Server nicht.",
  codes: {
    "error.upload_link.exhausted":
      "Dieser Link ist aufgebraucht und nimmt keine Dateien mehr an.",
    "error.upload_link.not_found": "Der Link ist beendet.",
    "error.upload.not_found":
      "Das Hochladen hat zu lange gedauert und wurde verworfen. Versuch " +
      "es noch einmal.",
    "error.upload.hash_mismatch":
      "Die Datei wurde unterwegs verändert. Versuch es noch einmal.",
    "error.upload.incomplete":
      "Die Datei kam nicht vollständig an. Versuch es noch einmal.",
    "error.request.too_large": "Die Datei ist zu groß für den Server.",
    "error.storage.full": "Der Speicherplatz des Servers ist voll.",
    "error.storage.quota_exceeded":
      "Der Speicherplatz der Person, die um die Dateien bittet, ist voll.",
  },
};
