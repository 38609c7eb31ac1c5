import type { Noun } from "../../../workers/photo_lists.ts";
import type { Words } from "../en.ts";
import { NOUNS } from "./nouns.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

const photos = (n: number, noun: Noun) => count(n, ...NOUNS[noun]);
/** One of them, where “es” stands for it afterwards. */
const neuter = (noun: Noun) => noun === "photo" ? "Foto" : "Objekt";
const THIS: Readonly<Record<Noun, string>> = {
  photo: "dieses Foto",
  video: "dieses Video",
  file: "diese Datei",
  item: "dieses Objekt",
};
const files = (n: number) => count(n, "Datei", "Dateien");

export const sharing: Words["sharing"] = {
  title: "Teilen",
  links: "Geteilt",
  byLink: "Links",
  requests: "Um Fotos bitten",
  inbox: "Erhalten",
  share: "Link teilen …",
  newLink: "Neuer Link",
  makeLink: (n, noun) => `${photos(n, noun)} mit einem Link teilen`,
  emptyLinks: "Noch keine Links",
  emptyLinksHint:
    "Ein Link zeigt die Fotos, die du auswählst, allen, denen du ihn " +
    "gibst. Sie brauchen kein Konto, und du kannst ihn jederzeit " +
    "beenden.",
  emptyLinksHow: "Wähle Fotos aus und drück auf Teilen.",
  emptyLinksFirst: "Füge zuerst die Fotos hinzu, die du teilen willst.",
  addFirst: "Fotos hinzufügen",
  choose: "Fotos auswählen",
  name: "Titel",
  namePlaceholder: "Sommer am See",
  message: "Nachricht",
  from: "Von",
  fromHint: "Damit klar ist, wessen Fotos das sind.",
  ends: "Endet",
  endings: {
    day: "nach einem Tag",
    week: "nach einer Woche",
    month: "nach einem Monat",
    quarter: "nach drei Monaten",
    never: "wenn ich ihn beende",
    keep: "wie bisher",
  },
  options: "Weitere Optionen (freiwillig)",
  essence: (n, noun) =>
    `Alle, die den Link haben, können ${
      n === 1 ? THIS[noun] : `diese ${photos(n, noun)}`
    } sehen und herunterladen.`,
  until: {
    day: "Er gilt einen Tag lang.",
    week: "Er gilt eine Woche lang.",
    month: "Er gilt einen Monat lang.",
    quarter: "Er gilt drei Monate lang.",
  },
  untilEnded: "Er gilt, bis du ihn beendest.",
  withPassphraseToo: "Er fragt nach dem Kennwort.",
  passphrase: "Kennwort",
  passphraseHint:
    "Schick es getrennt vom Link. Ohne es öffnet der Link nichts.",
  withPassphrase: "Nach einem Kennwort fragen",
  passphraseShort: "Mindestens 8 Zeichen.",
  places: "Aufnahmeorte weglassen",
  copies: (n, noun) =>
    n === 1
      ? `1 ${neuter(noun)} enthält den Aufnahmeort. Der Link zeigt eine ` +
        "kleinere Kopie ohne ihn, nicht das Original."
      : `${photos(n, noun)} enthalten den Aufnahmeort. Der Link zeigt ` +
        "kleinere Kopien ohne ihn, nicht die Originale.",
  stills: (n) =>
    `Von ${n === 1 ? "1 Video" : `${n.toLocaleString("de")} Videos`} zeigt ` +
    "er ein Standbild, weil die Videodatei den Aufnahmeort enthält.",
  leftOut: (n, noun) =>
    `${n === 1 ? `1 ${neuter(noun)} bleibt` : `${photos(n, noun)} bleiben`} ` +
    "draußen: Der Aufnahmeort lässt sich nicht entfernen.",
  placesKept: (n) =>
    n === 1
      ? "Der Link gibt die Originaldatei weiter. Aus ihr lässt sich lesen, wo " +
        "sie aufgenommen wurde."
      : "Der Link gibt die Originaldateien weiter. Aus ihnen lässt sich " +
        "lesen, wo sie aufgenommen wurden.",
  allLeftOut: "Es bleibt nichts zu teilen. Um es doch zu teilen, schalte " +
    "„Aufnahmeorte weglassen“ aus.",
  addedSmaller: (n, noun) =>
    `Der Link wurde geändert. Er zeigt ${photos(n, noun)} als ${
      n === 1 ? "kleinere Kopie" : "kleinere Kopien"
    } ohne Aufnahmeort.`,
  noPlaces: "Nichts davon enthält einen Aufnahmeort.",
  others: (n, noun) =>
    n === 1
      ? `1 ${
        neuter(noun)
      } von anderen bleibt draußen: Nur wer es hinzugefügt ` +
        "hat, kann es mit einem Link teilen."
      : `${
        photos(n, noun)
      } von anderen bleiben draußen: Nur wer sie hinzugefügt ` +
        "hat, kann sie mit einem Link teilen.",
  nothing: "Davon lässt sich nichts mit einem Link teilen.",
  make: "Link erstellen",
  making: "Link wird erstellt …",
  made: "Der Link ist fertig",
  madeHint: "Alle, die den Link haben, können diese Fotos sehen, aber keine, " +
    "die du später hinzufügst. Du findest ihn unter Teilen wieder.",
  madeHintGuarded:
    "Alle, die den Link und das Kennwort haben, können diese Fotos " +
    "sehen, aber keine, die du später hinzufügst. Du findest ihn unter " +
    "Teilen wieder.",
  link: "Link",
  copy: "Link kopieren",
  copied: "Link kopiert",
  copiedNow: "Kopiert",
  copyYourself: "Zum Kopieren Strg+C drücken",
  showCode: "Als QR-Code zeigen",
  code: "QR-Code des Links",
  codeHint: "Richte die Kamera eines Telefons darauf.",
  send: "Link senden …",
  open: "Öffnen",
  untitled: "Fotos ohne Titel",
  seen: (n) =>
    n === 0
      ? "Noch nicht geöffnet"
      : n === 1
      ? "Mindestens einmal geöffnet"
      : `Mindestens ${n.toLocaleString("de")}-mal geöffnet`,
  seenHint: "Wer ihn binnen einer Stunde wieder öffnet, zählt einmal.",
  lastSeen: (when) => `zuletzt am ${when}`,
  madeAt: (when) => `Erstellt am ${when}`,
  endsAt: (when) => `Endet am ${when}`,
  endedAt: (when) => `Endete am ${when}`,
  neverEnds: "Ohne Enddatum",
  behindPassphrase: "Mit Kennwort",
  photos,
  unknownKey:
    "Dieser Link wurde anderswo erstellt. Du kannst ihn hier beenden, " +
    "aber weder zeigen noch ändern.",
  change: "Ändern",
  changed: "Der Link wurde geändert",
  changeHint:
    "Der Link selbst bleibt gleich. Für ein anderes Kennwort beende " +
    "ihn und erstelle einen neuen.",
  contents: "Was er zeigt",
  addPhotos: "Fotos hinzufügen",
  takeOut: "Aus dem Link entfernen",
  lastOne: "Ein Link zeigt mindestens ein Foto. Um nichts mehr zu teilen, " +
    "beende ihn.",
  end: "Link beenden",
  endTitle: "Diesen Link beenden?",
  endText: "Er funktioniert dann für niemanden mehr. Das lässt sich nicht " +
    "rückgängig machen.",
  ended: "Der Link ist beendet",
  gone: "Dieser Link ist beendet",

  request: "Um Fotos bitten",
  emptyRequests: "Lass dir Fotos schicken",
  emptyRequestsHint: "Erstelle einen Link und gib ihn allen, die Fotos für " +
    "dich haben, nach einem Fest oder einer Reise. Sie brauchen kein Konto. " +
    "Was sie schicken, ist nur für dich verschlüsselt und wartet unter " +
    "Erhalten, bis du es annimmst.",
  note: "Worum du bittest, und wer du bist",
  notePlaceholder: "Fotos vom Samstag, für Ada und Tom",
  noteHint: "Wer den Link öffnet, sieht das. Der Server kann es nicht lesen.",
  mostFiles: "Maximale Anzahl Dateien",
  mostBytes: "Maximale Größe",
  notANumber: "Gib eine Zahl ein, mindestens 1.",
  requestMade: "Dein Link ist fertig",
  requestMadeHint: "Was damit geschickt wird, erscheint unter Erhalten.",
  untitledRequest: "Ohne Text",
  used: (n, of) => `${n.toLocaleString("de")} von ${files(of)} verbraucht`,
  ownRequest: "Dein eigener: Was kommt, wird ohne Nachfrage hinzugefügt",
  endRequest: "Diesen Link beenden",
  endRequestTitle: "Diesen Link beenden?",
  endRequestText:
    "Niemand kann dir damit mehr etwas schicken. Dateien, die noch " +
    "warten, gehen verloren. Nimm sie vorher an.",
  endRequestEmpty: "Niemand kann dir damit mehr etwas schicken.",
  requestEnded: "Der Link ist beendet",

  emptyInbox: "Nichts wartet",
  emptyInboxHint:
    "Dateien, die andere dir über einen Link schicken, warten hier, " +
    "bis du sie annimmst. Nach 30 Tagen werden sie gelöscht.",
  inboxHint: "Alle, die deinen Link haben, können dir Dateien schicken. In " +
    "deine Bibliothek kommen sie erst, wenn du sie annimmst.",
  accept: "Annehmen",
  acceptAll: (n) => `Alle ${n.toLocaleString("de")} annehmen`,
  acceptInto: "Annehmen in",
  library: "Deine Bibliothek",
  refuse: "Ablehnen",
  refuseTitle: (n) => `${files(n)} ablehnen?`,
  refuseText:
    "Die Dateien werden gelöscht, und wer sie geschickt hat, erfährt " +
    "nichts davon.",
  refuseAll: "Alle ablehnen",
  accepted: (n, known) =>
    known === 0
      ? `${files(n)} angenommen`
      : n === 0
      ? `${files(known)} ${known === 1 ? "war" : "waren"} schon da`
      : `${files(n)} angenommen, ${known.toLocaleString("de")} ${
        known === 1 ? "war" : "waren"
      } schon da`,
  ownCame: (n, noun) => `Neu von deinem Handy: ${photos(n, noun)}`,
  refused: (n) => `${files(n)} abgelehnt`,
  accepting: (done, of) =>
    `${done.toLocaleString("de")} von ${of.toLocaleString("de")} angenommen …`,
  unreadable:
    "Das lässt sich nicht öffnen: Es wurde beschädigt oder für einen " +
    "anderen Link verschlüsselt.",
  noPreview: "Für diese Art Datei gibt es keine Vorschau.",
  tooLarge: "Es ist zu groß, um es vor dem Annehmen zu zeigen.",
  selectAll: "Alle auswählen",
  selectOne: (name) => `${name} auswählen`,
  sentFor: (note) => `Geschickt für „${note}“`,
  placeOf: (at, of) =>
    `${at.toLocaleString("de")} von ${of.toLocaleString("de")}`,
  previous: "Zurück",
  following: "Weiter",
};
