/** The page that checks the proof of a photo. */
import type { Words } from "../en.ts";

export const prove: Words["prove"] = {
  title: "Einen Beweis prüfen",
  intro:
    "Zieh ein Foto und seinen Beweis hierher. Dein Browser prüft sie und " +
    "sendet nichts, also genügt die Seite irgendeines Servers.",
  from: "Den Beweis macht, wer das Foto in strongroom hat: eine Datei, die " +
    "mit .tlog-proof endet. Auf einem Computer speichert ihn:",
  drop: "Loslassen zum Prüfen",
  choose: "Foto und Beweis wählen",
  photo: (name) => `Foto: ${name}`,
  proof: (name) => `Beweis: ${name}`,
  needsPhoto: "Jetzt fehlt noch das Foto.",
  needsProof: "Jetzt fehlt noch der Beweis, eine Datei, die auf .tlog-proof " +
    "endet.",
  checking: "Wird geprüft",
  holds: "Der Server hat für genau dieses Foto unterschrieben",
  holdsIf: "Der Server hat für genau dieses Foto unterschrieben, wenn der " +
    "Schlüssel seiner ist",
  keyHint: "Jeder kann einen Beweis mit einem eigenen Schlüssel schreiben. " +
    "Vergleiche diesen Schlüssel mit dem, den der Server veröffentlicht, oder " +
    "den jemand aufgehoben hat, dem du vertraust.",
  refused: "Das beweist nichts",
  signedBy: "Unterschrieben von",
  withKey: "Mit dem Schlüssel",
  at: "Angekommen",
  file: "Foto",
  log: "Im öffentlichen Verzeichnis",
  entry: (index, size, origin) =>
    `Eintrag ${index.toLocaleString("de")} von ${
      size.toLocaleString("de")
    } in ${origin}`,
  seen: "Gesehen von",
  nobody:
    "Kein Zeuge: der Server kann anderen ein anderes Verzeichnis gezeigt " +
    "haben.",
  seenAt: (name, when) => `${name}, ${when}`,
  named: "Diese Zeugen nennt der Beweis selbst. Füge den Schlüssel eines " +
    "Zeugen hinzu, dem du glaubst, damit er zählt.",
  enough: "Die Zeugen, denen du glaubst, haben dieses Verzeichnis gesehen.",
  notEnough: "Die Zeugen, denen du glaubst, haben dieses Verzeichnis nicht " +
    "gesehen.",
  pinned: "Der Schlüssel des Servers",
  pinnedHint: "Falls du ihn kennst: 64 Ziffern und Buchstaben",
  witness: "Ein Zeuge, dem du glaubst",
  witnessHint: "Der Schlüssel, den dir der Betreiber des Zeugen gegeben hat",
  addWitness: "Diesen Zeugen zählen",
  limitsTitle: "Was das nicht beweist",
  limits: [
    "Dass der Server das Foto noch hat.",
    "Wer das Foto gemacht hat, und dass es zeigt, was es zu zeigen scheint.",
    "Dass das Foto nicht viel älter ist.",
    "Dass die Zeiten stimmen: jede kommt von der Uhr dessen, der " +
    "unterschrieben hat.",
  ],
  keyInside: "Der Beweis enthält den Schlüssel dieses Fotos. Wer den Beweis " +
    "hat und an das verschlüsselte Original kommt, kann es entschlüsseln, und " +
    "sonst nichts.",
  unreadable: "Diese Datei konnte nicht gelesen werden. Wähl sie noch einmal.",
  faults: {
    unreadable: "Der Beweis ist abgeschnitten, wurde geändert, oder ist eine " +
      "andere Datei.",
    other_photo:
      "Das ist nicht das Foto, um das es im Beweis geht, oder eines " +
      "von beiden wurde geändert.",
    no_opening: "Dieser Beweis gilt nur einer Quittung und sagt nicht, für " +
      "welches Foto. Wer ihn gemacht hat, kann einen anderen machen: " +
      "strongroom proof FOTO",
    key_not_pinned: "Der Beweis ist nicht mit dem Schlüssel unterschrieben, " +
      "den du eingegeben hast, und mit keinem, der auf ihn folgt.",
    not_in_log: "Die Quittung steht nicht in dem Verzeichnis, das der Beweis " +
      "zeigt.",
    checkpoint_unsigned: "Der Schlüssel des Servers hat das Verzeichnis im " +
      "Beweis nicht unterschrieben.",
    foreign_log: "Das Verzeichnis im Beweis gehört einem anderen Server.",
    key_unknown:
      "Die Quittung ist mit einem Schlüssel unterschrieben, den der " +
      "Beweis nicht hat.",
    foreign_server: "Die Quittung ist von einem anderen Server.",
    signature_invalid: "Die Unterschrift der Quittung ist falsch.",
  },
};
