import type { Noun } from "../../../workers/photo_lists.ts";
import type { Words } from "../en.ts";
import { NOUNS } from "./nouns.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

const photos = (n: number, noun: Noun) => count(n, ...NOUNS[noun]);

export const albums: Words["albums"] = {
  title: "Alben",
  lists: "Listen",
  own: "Meine Alben",
  shared: "Mit mir geteilt",
  collections: "Nur für mich",
  newAlbum: "Neues Album",
  empty: "Noch keine Alben",
  emptyHint:
    "Leg Fotos, die zusammengehören, in ein Album, nur für dich oder " +
    "mit anderen. Andere können es ansehen und eigene Fotos hinzufügen.",
  photos,
  withOthers: (n) => `mit ${count(n, "anderer Person", "anderen")}`,
  of: (name) => `von ${name}`,
  ofSomebody: "von jemand anderem",
  somebody: "Jemand",
  you: "Du",
  untitled: "Ohne Titel",
  brokenCard: "Eingefroren",

  name: "Name",
  describe: "Beschreibung (freiwillig)",
  forWhom: "Für wen ist es?",
  forOthers: "Mit anderen",
  albumHint: "Wen du einlädst, kann es ansehen oder Fotos hinzufügen. Fotos " +
    "werden dafür kopiert und zählen deshalb doppelt in deinem " +
    "Speicher.",
  becomesAlbum: (n, noun) =>
    n === 0
      ? "Mit der ersten Einladung wird daraus ein geteiltes Album."
      : `Mit der ersten Einladung wird daraus ein geteiltes Album. ${
        photos(n, noun)
      } ${
        n === 1 ? "wird" : "werden"
      } dafür kopiert und zählen doppelt in deinem Speicher.`,
  forMe: "Nur für mich",
  collectionHint:
    "Eine private Sammlung, die keinen zusätzlichen Platz braucht. Du " +
    "kannst später jemanden einladen.",
  create: "Anlegen",
  rename: "Name und Beschreibung",
  renameCollection: "Umbenennen",
  gone: "Dieses Album gibt es nicht mehr",
  goneHint: "Es wurde gelöscht, oder du bist nicht mehr darin.",
  acceptFirst: "Nimm erst die Einladung an",
  acceptFirstHint: (title) =>
    `Du bist zu „${title}“ eingeladen. Die Fotos siehst du, sobald du annimmst.`,
  goneCollection: "Diese Sammlung gibt es nicht mehr",
  broken: "Dieses Album ist eingefroren. Der Server hat eine Fassung " +
    "geschickt, die sein Besitzer nicht unterschrieben hat oder die " +
    "älter ist als zuvor. Du siehst weiter, was da war. Neues " +
    "erscheint erst, wenn der Server die richtige Fassung schickt.",

  emptyAlbum: "Noch nichts in diesem Album",
  emptyAlbumHint: "Füge Fotos aus deiner Bibliothek oder von diesem Gerät " +
    "hinzu. Fotos aus deiner Bibliothek bleiben auch dort.",
  emptyAlbumViewer: "Fotos erscheinen hier, sobald jemand welche hinzufügt.",
  emptyCollection: "Noch nichts in dieser Sammlung",
  add: "Fotos hinzufügen",
  addLibrary: "Aus deiner Bibliothek",
  addDevice: "Von diesem Gerät",
  addHere: (n, noun) =>
    n === 0 ? "Hinzufügen" : `${photos(n, noun)} hinzufügen`,
  pick: "Fotos zum Hinzufügen wählen",
  pickNone: "Deine Bibliothek ist leer. Füge dort zuerst Fotos hinzu.",
  pickFind: "Fotos suchen",
  adding: (done, of) =>
    `${done.toLocaleString("de")} von ${of.toLocaleString("de")} hinzugefügt …`,
  added: (n, album, noun) => `${photos(n, noun)} zu „${album}“ hinzugefügt`,
  known: (n) =>
    n === 1
      ? "1 war schon darin"
      : `${n.toLocaleString("de")} waren schon darin`,
  failed: (n, noun) =>
    `${photos(n, noun)} ${n === 1 ? "ließ" : "ließen"} sich nicht hinzufügen`,
  addTo: "Zu Album hinzufügen …",
  addToTitle: (n, noun) => `${photos(n, noun)} hinzufügen zu`,
  takeOut: "Aus dem Album entfernen",
  takenOut: (n, noun) => `${photos(n, noun)} entfernt`,
  takeOutTitle: (n, noun) => `${photos(n, noun)} aus diesem Album entfernen?`,
  takeOutOwn:
    "Fotos, die in deiner Bibliothek sind, bleiben dort. Fotos, die " +
    "nur in diesem Album sind, kommen in den Papierkorb.",
  takeOutOthers: (n, noun) =>
    `${photos(n, noun)} von anderen ${n === 1 ? "kommt" : "kommen"} in deren ` +
    "Papierkorb.",
  takeOutCollection: "Aus der Sammlung entfernen",
  cover: "Als Titelbild nehmen",
  coverSet: "Titelbild geändert",

  people: "Leute",
  invite: "Einladen",
  share: "Link teilen",
  delete: "Album löschen",
  deleteTitle: (album) => `„${album}“ löschen?`,
  deleteText:
    "Niemand sonst kann es mehr sehen. Deine Fotos bleiben in deiner " +
    "Bibliothek. Fotos, die andere hinzugefügt haben, gehen an sie " +
    "zurück.",
  deleteCollection: "Sammlung löschen",
  deleteCollectionText: "Die Fotos bleiben, wo sie sind.",
  deleted: (album) => `„${album}“ wurde gelöscht`,
  leave: "Album verlassen",
  leaveTitle: (album) => `„${album}“ verlassen?`,
  leaveText: "Du siehst es nicht mehr. Die Fotos, die du hinzugefügt hast, " +
    "bleiben darin für die anderen. Die Person, der es gehört, kann " +
    "dich wieder einladen.",
  left: (album) => `Du hast „${album}“ verlassen`,

  whom: "E-Mail-Adresse oder Kurzname",
  whomHint: "Die Person braucht ein Konto auf diesem Server.",
  find: "Suchen",
  notFound:
    "Hier hat niemand diese Adresse oder diesen Kurznamen. Vielleicht " +
    "ist die Person mit einer anderen Adresse angemeldet?",
  nobody: "Um Fotos anzusehen oder dir welche zu schicken, braucht niemand " +
    "ein Konto. Schick einen Link.",
  linkFor: "Link zum Teilen erstellen",
  requestFor: "Link zum Hochladen erstellen",
  accounts: {
    open: "Oder die Person legt hier selbst ein Konto an, und du lädst sie " +
      "dann ein:",
    invited:
      "Für ein neues Konto braucht es hier eine Einladung. Die Person, " +
      "die diesen Server betreibt, kann eine schicken. Danach kannst du " +
      "die Person einladen.",
    domain: "Für ein neues Konto braucht es hier eine E-Mail-Adresse, die " +
      "dieser Server zulässt, oder eine Einladung der Person, die ihn " +
      "betreibt. Danach kannst du die Person einladen.",
  },
  isYou: "Das bist du.",
  isIn: "Diese Person ist schon in diesem Album.",
  unready: "Diese Person hat ein Konto, es aber noch nicht geöffnet. Bitte " +
    "sie, sich einmal anzumelden.",
  otherName: "Anderen Namen geben",
  called: "Name der Person",
  calledHint:
    "Du siehst sie unter diesem Namen. Andere im Album sehen ihn auch, " +
    "außer die Person hat ihnen selbst einen anderen genannt.",
  invitation: (by, album) =>
    `${by ?? "Jemand"} lädt dich zum Album „${album}“ ein.`,
  invitationHint:
    "Du siehst die Fotos, sobald du annimmst. Nimm nur eine Einladung " +
    "an, die du von jemandem erwartest, den du kennst.",
  accept: "Annehmen",
  anotherTime: "Nicht jetzt",
  decline: "Ablehnen",
  block: (by) => `${by ?? "Diese Person"} blockieren`,
  moreInvitations: (n) =>
    `und ${count(n, "weitere Einladung", "weitere Einladungen")}`,
  withPeople: "Alben mit anderen",
  role: "Darf",
  roles: {
    contributor: "Fotos hinzufügen",
    viewer: "nur ansehen",
  },
  may: {
    contributor: "darf Fotos hinzufügen",
    viewer: "darf ansehen",
  },
  owner: "Album angelegt",
  inviteThem: (name) => `${name} einladen`,
  invited: (name) => `${name} ist eingeladen`,
  onlyYou: "Kein anderes Konto kann dieses Album sehen. Lade Leute ein, es " +
    "anzusehen oder eigene Fotos hinzuzufügen. Links zu seinen Fotos " +
    "stehen unter „Teilen“.",
  notTold:
    "Ob jemand deine Einladung schon angenommen hat, erfährst du nicht. " +
    "Wer Fotos hinzugefügt hat, hat es.",
  onlyOwner: "Nur die Person, der das Album gehört, kann Leute einladen.",
  makeViewer: "Nur ansehen lassen",
  makeContributor: "Fotos hinzufügen lassen",
  removeMember: "Aus dem Album entfernen",
  removeTitle: (name) => `${name} aus dem Album entfernen?`,
  removeText: (name) =>
    `${name} kann das Album und neue Fotos nicht mehr sehen. Was ` +
    `${name} vorher gespeichert hat, kann niemand zurückholen. Die ` +
    `Fotos von ${name} bleiben.`,
  removed: (name) => `${name} kann neue Fotos nicht mehr sehen`,

  check: "Prüfen, ob sie es wirklich ist",
  checkTitle: (name) => `Ist es wirklich ${name}?`,
  checkText: (name) =>
    `Vergleiche diese Zahl mit ${name}, persönlich oder am Telefon. ` +
    "Sie steht dort an derselben Stelle. Sind die Zahlen gleich, liest " +
    "niemand mit, auch nicht die Person, die diesen Server betreibt.",
  number: "Sicherheitsnummer",
  same: "Sie sind gleich",
  checked: "Verglichen",
  checkedAt: (when) => `Du hast sie am ${when} verglichen.`,
  notChecked: "Noch nicht verglichen",
  changedTitle: (name) => `${name} hat einen neuen Schlüssel`,
  changedText: (name) =>
    `Das geschieht, wenn ${name} ein neues Konto anlegt. Es geschähe ` +
    "auch, wenn jemand auf dem Server mitlesen wollte. Darum wurde " +
    "nichts gesendet und nichts geändert.",
  changedAsk: (name) =>
    `Frag ${name}, persönlich oder am Telefon. Die Zahl dort muss ` +
    "jetzt so lauten:",
  believe: "Die Zahlen sind gleich, neuen Schlüssel verwenden",
  notNow: "Jetzt nicht",
  changedShort: "Neuer Schlüssel",
};
