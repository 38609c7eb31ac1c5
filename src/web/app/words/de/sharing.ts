import type { Words } from "../en.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

const photos = (n: number) => count(n, "Foto", "Fotos");
const files = (n: number) => count(n, "Datei", "Dateien");

export const sharing: Words["sharing"] = {
  title: "Teilen",
  links: "Links",
  requests: "Anfragen",
  inbox: "Eingang",
  waiting: (n) => n === 1 ? "1 Datei wartet" : `${files(n)} warten`,

  share: "Link teilen …",
  newLink: "Neuer Link",
  makeLink: (n) => `${photos(n)} mit einem Link teilen`,
  emptyLinks: "Noch keine Links",
  emptyLinksHint:
    "Ein Link zeigt ausgewählte Fotos allen, denen du ihn gibst. " +
    "Sie brauchen kein Konto, und du kannst ihn jederzeit beenden. Wähle " +
    "Fotos aus und drück auf Teilen.",
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
  passphrase: "Kennwort",
  passphraseHint: "Sag es auf einem anderen Weg als den Link. Ohne es öffnet " +
    "der Link nichts.",
  withPassphrase: "Nach einem Kennwort fragen",
  passphraseShort: "Mindestens 8 Zeichen.",
  places: "Weglassen, wo sie aufgenommen wurden",
  placesHint: (n) =>
    n === 1
      ? "1 Foto verrät in seiner Datei, wo es aufgenommen wurde. Es wird als " +
        "großes Bild ohne das gezeigt, nicht als Originaldatei."
      : `${n.toLocaleString("de")} Fotos verraten in ihren Dateien, wo sie ` +
        "aufgenommen wurden. Sie werden als große Bilder ohne das gezeigt, " +
        "nicht als Originaldateien.",
  placesOnly: (n) =>
    n === 1
      ? "1 davon hat kein solches Bild und bleibt draußen."
      : `${n.toLocaleString("de")} davon haben kein solches Bild und bleiben ` +
        "draußen.",
  noPlaces: "Keines dieser Fotos verrät, wo es aufgenommen wurde.",
  others: (n) =>
    n === 1
      ? "1 Foto von anderen bleibt draußen: Nur wer es hinzugefügt hat, kann " +
        "es mit einem Link teilen."
      : `${photos(n)} von anderen bleiben draußen: Nur wer sie hinzugefügt ` +
        "hat, kann sie mit einem Link teilen.",
  nothing: "Davon lässt sich nichts mit einem Link teilen.",
  make: "Link erstellen",
  making: "Link wird erstellt …",
  made: "Der Link ist fertig",
  madeHint: "Wer ihn hat, kann diese Fotos ansehen. Er bleibt hier unter " +
    "Teilen.",
  link: "Link",
  copy: "Link kopieren",
  copied: "Link kopiert",
  copyYourself: "Zum Kopieren Strg+C drücken",
  showCode: "Als QR-Code zeigen",
  code: "QR-Code des Links",
  codeHint: "Richte die Kamera eines Telefons darauf.",
  send: "Senden …",
  open: "Ansehen",
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
  neverEnds: "Ohne Ende",
  behindPassphrase: "Mit Kennwort",
  photos,
  unknownKey: "Dieser Link wurde anderswo erstellt: Er lässt sich hier " +
    "beenden, aber weder zeigen noch ändern.",
  change: "Ändern",
  changed: "Der Link wurde geändert",
  changeHint:
    "Der Link selbst bleibt gleich. Für ein anderes Kennwort beende " +
    "ihn und erstelle einen neuen.",
  contents: "Was er zeigt",
  addPhotos: "Fotos hinzufügen",
  takeOut: "Aus dem Link nehmen",
  lastOne: "Wenn er nichts mehr zeigen soll, beende den Link.",
  end: "Link beenden",
  endTitle: "Diesen Link beenden?",
  endText: "Ab jetzt öffnet er nichts mehr, für niemanden. Das lässt sich " +
    "nicht rückgängig machen.",
  ended: "Der Link öffnet nichts mehr",
  gone: "Dieser Link ist beendet",

  request: "Fotos anfragen",
  emptyRequests: "Lass dir Fotos schicken",
  emptyRequestsHint: "Erstelle einen Link und gib ihn allen, die Fotos für " +
    "dich haben, nach einem Fest oder einer Reise. Sie brauchen kein Konto. " +
    "Was sie schicken, ist nur für dich verschlüsselt und wartet im Eingang, " +
    "bis du es annimmst.",
  note: "Wofür, und wer fragt",
  notePlaceholder: "Fotos vom Samstag, für Ada und Tom",
  noteHint: "Das steht für sie darüber. Der Server liest es nicht.",
  mostFiles: "Höchstens so viele Dateien",
  mostBytes: "Höchstens so viel zusammen",
  notANumber: "Eine Zahl ab 1.",
  requestMade: "Gib diesen Link weiter",
  requestMadeHint: "Was damit geschickt wird, erscheint in deinem Eingang.",
  untitledRequest: "Anfrage ohne Text",
  used: (n, of) => `${n.toLocaleString("de")} von ${files(of)} verbraucht`,
  endRequest: "Anfrage beenden",
  endRequestTitle: "Diese Anfrage beenden?",
  endRequestText: "Niemand kann dir damit mehr etwas schicken. Was schon " +
    "wartet, geht verloren: Nimm es vorher an.",
  endRequestEmpty: "Niemand kann dir damit mehr etwas schicken.",
  requestEnded: "Die Anfrage ist beendet",

  emptyInbox: "Nichts wartet",
  emptyInboxHint:
    "Was andere dir über eine Anfrage schicken, wartet hier, bis " +
    "du es annimmst. Unbeantwortet verschwindet es nach 30 Tagen.",
  inboxHint: "Das können Fremde geschickt haben. Nichts davon ist in deiner " +
    "Bibliothek, bevor du es annimmst.",
  accept: "Annehmen",
  acceptAll: (n) => `Alle ${n.toLocaleString("de")} annehmen`,
  acceptInto: "Annehmen in",
  library: "Deine Bibliothek",
  refuse: "Ablehnen",
  refuseTitle: (n) => `${files(n)} ablehnen?`,
  refuseText:
    "Dann ist es weg, und wer es geschickt hat, erfährt nichts davon.",
  refuseAll: "Alle ablehnen",
  accepted: (n, known) =>
    known === 0
      ? `${files(n)} angenommen`
      : n === 0
      ? `${files(known)} ${known === 1 ? "war" : "waren"} schon da`
      : `${files(n)} angenommen, ${known.toLocaleString("de")} ${
        known === 1 ? "war" : "waren"
      } schon da`,
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
  by: (note) => `über „${note}“`,
  previous: "Zurück",
  following: "Weiter",
};
