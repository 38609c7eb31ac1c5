/** German. */
import { connection } from "./de/connection.ts";
import { entry } from "./de/entry.ts";
import { guest } from "./de/guest.ts";
import { kept } from "./de/kept.ts";
import { operator } from "./de/operator.ts";
import { phone } from "./de/phone.ts";
import { prove } from "./de/prove.ts";
import { secrets } from "./de/secrets.ts";
import { settings } from "./de/settings.ts";
import type { Noun } from "../../workers/photo_lists.ts";
import type { LaterWords } from "./en.ts";
import { NOUNS } from "./de/nouns.ts";
import { albums } from "./de/albums.ts";
import { sharing } from "./de/sharing.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

const things = (n: number, noun: Noun) => count(n, ...NOUNS[noun]);

export const de: LaterWords = {
  connection,
  entry,
  prove,
  form: {
    missing: "Bitte ausfüllen.",
    unfit: "Das sieht nicht richtig aus.",
  },
  secrets,
  search: {
    placeholder: "Suchen",
    videos: "Videos",
    clear: "Suche leeren",
    screenshots: "Bildschirmfotos",
    screenshotsWord: "bildschirmfotos",
  },
  map: {
    ofAlbum: (title) => `Karte von „${title}“`,
    label: "Weltkarte. Die Pfeiltasten verschieben sie, Plus und Minus zoomen.",
    zoomIn: "Vergrößern",
    zoomOut: "Verkleinern",
    all: "Alle Orte zeigen",
    none: "Noch kein Foto hat einen Ort",
    noneHint: "Hier erscheinen Fotos von einem Telefon oder einer Kamera mit " +
      "GPS. Anderen kannst du einen Ort geben: öffne ein Foto und seine " +
      "Informationen.",
    here: (photos) => `${photos} von hier zeigen`,
    noneHere: "Keine Fotos von hier",
    byWhom: "Karte von Natural Earth, Namen von GeoNames",
  },
  keys: {
    title: "Tastenkürzel",
    rows: [
      ["← → ↑ ↓", "Von Foto zu Foto gehen"],
      ["Pos1 Ende", "Zum neuesten, zum ältesten gehen"],
      ["Bild↑ Bild↓", "Eine Bildschirmhöhe auf, ab"],
      ["Enter", "Öffnen"],
      ["x", "Auswählen oder abwählen"],
      ["Ctrl+A", "Alles auswählen"],
      ["Umschalt+→", "Auswahl erweitern"],
      ["Esc", "Auswahl aufheben"],
      ["Entf", "Löschen"],
      ["f", "Favorit"],
      ["w", "Vollbild"],
      ["i", "Informationen"],
      ["/", "Suchen"],
      ["?", "Diese Liste zeigen"],
    ],
  },
  lightbox: {
    viewer: "Foto",
    close: "Schließen",
    previous: "Voriges",
    next: "Nächstes",
    place: (at, of) =>
      `${at.toLocaleString("de")} von ${of.toLocaleString("de")}`,
    gone: "Dieses Foto ist nicht mehr hier.",
    goneHint: "Es wurde gelöscht, oder die Adresse gehört zu einem anderen " +
      "Konto.",
    info: "Informationen",
    download: "Herunterladen",
    zoomIn: "Vergrößern",
    zoomOut: "Verkleinern",
    fullScreen: "Vollbild",
    leaveFullScreen: "Vollbild verlassen",
    slideshow: "Diashow",
    stopSlideshow: "Diashow beenden",
    actions: "Aktionen",
    short: {
      share: "Teilen",
      favourite: "Favorit",
      "add-to-album": "Album",
      restore: "Wiederherstellen",
      delete: "Löschen",
      purge: "Löschen",
      download: "Laden",
      info: "Info",
    },
    play: "Abspielen",
    pause: "Anhalten",
    mute: "Ton aus",
    small: "Bild im Bild",
    unmute: "Ton an",
    position: "Stelle im Video",
    live: "Live-Foto abspielen",
    liveBadge: "Live",
    loading: "Wird geladen",
    originalDamaged:
      "Das Original auf dem Server ist beschädigt oder wurde verändert. " +
      "Das hier ist die Vorschau, die mit ihm gespeichert wurde.",
    notDrawn:
      "Dieser Browser kann dieses Bild nicht zeigen. Lade es herunter " +
      "und öffne es mit einer anderen App.",
    notDrawnOriginal:
      "Dieser Browser kann das Original nicht zeigen. Das hier ist die " +
      "Vorschau, die mit ihm gespeichert wurde.",
    notPlayed: "Dieser Browser kann dieses Video nicht abspielen. Lade es " +
      "herunter und öffne es mit einer anderen App.",
    notHeard: "Dieser Browser kann diese Aufnahme nicht abspielen. Lade sie " +
      "herunter und öffne sie mit einer anderen App.",
    tooLarge: (size) =>
      `Dieses Video hat ${size}. Ohne https muss der Browser es ganz ` +
      "laden, bevor er es abspielen kann. Lade es herunter, um es " +
      "anzusehen.",
    noPreview: "Für diese Art Datei gibt es keine Vorschau.",
    textCut: (size) => `Die ersten ${size} dieses Textes.`,
    about: {
      title: "Informationen",
      caption: "Beschriftung hinzufügen",
      captionLabel: "Beschriftung",
      dateEdit: "Datum und Uhrzeit ändern",
      date: "Datum",
      time: "Uhrzeit",
      zone: "Zeitzone",
      zoneUnknown: "Unbekannt",
      zoneHint: "Zeitzone am Ort der Aufnahme",
      undated: "Unbekanntes Datum",
      dateSource: {
        name: "Aus dem Namen der Datei",
        mtime: "Vom Datum der Datei",
        person: "Von dir gesetzt",
      },
      added: (when) => `Hinzugefügt ${when}`,
      camera: "Kamera",
      lens: "Objektiv",
      file: "Datei",
      pixels: (width, height) => `${width} × ${height}`,
      megapixels: (n) => `${n} MP`,
      length: "Länge",
      place: "Ort",
      openPlace: "In einer Karte öffnen",
      openMap: "Auf OpenStreetMap zeigen",
      openMapWhy: "Diese Website erfährt dann den Ort.",
      copyPlace: "Koordinaten kopieren",
      placeCopied: "Koordinaten kopiert",
      placeNotCopied: "Dieser Browser erlaubt kein Kopieren.",
      altitude: (metres) => `${metres} m über dem Meer`,
      placeNames: "Ortsnamen von GeoNames",
      placeAdd: "Ort hinzufügen",
      placeEdit: "Ort ändern",
      placeWhere: "Wo wurde es aufgenommen?",
      placeHint: "Ein Ort, oder Koordinaten wie 45.98, 9.26",
      placeUnknown: "Kein Ort heißt so.",
      albums: "Alben",
      noAlbums: "In keinem Album",
      safety: "Sicherheit",
      saved: "Gespeichert",
      custody: {
        unverified: "Auf diesem Gerät noch nicht nachgewiesen",
        receipted:
          "Der Server hat dafür unterschrieben, und die Unterschrift ist " +
          "gültig",
        confirmed:
          "Der Server hat dafür unterschrieben und seither bestätigt, dass " +
          "er es noch hat",
        read_back:
          "Heruntergeladen und verglichen: Es ist genau, was du hinzugefügt " +
          "hast",
        missing: "Der Server hat es nicht mehr",
        damaged: "Die Kopie auf dem Server ist beschädigt",
      },
    },
  },
  shared: {
    title: (n) => `${count(n, "Datei", "Dateien")} hinzufügen?`,
    why: "Eine andere App oder eine Website teilt das mit strongroom. " +
      "Hinzugefügt wird es erst, wenn du zustimmst.",
    add: "Hinzufügen",
    more: (n) => `und ${count(n, "weitere Datei", "weitere Dateien")}`,
  },
  saving: {
    title: "Wird heruntergeladen",
    files: (done, of) =>
      `${done.toLocaleString("de")} von ${count(of, "Datei", "Dateien")}`,
    bytes: (done, of) => `${done} von ${of}`,
    part: (at, of) => `Teil ${at} von ${of}`,
    savePart: (at, of) => `Teil ${at} von ${of} speichern`,
    save: "Speichern",
    ready: "Dein Download ist bereit.",
    partsWhy: "Dieser Browser hält einen Download im Speicher, bis er " +
      "vollständig ist. Darum kommt er in Teilen.",
    begun: "Der Download läuft. Lass diese Seite offen, bis er fertig ist.",
    done: (name) => `${name} ist gespeichert`,
    exported: (files, size) =>
      `Fertig: ${count(files, "Datei", "Dateien")}, ${size}.`,
    noPicker: "Du findest die Datei in deinen Downloads.",
    cancelled: "Der Download wurde abgebrochen.",
    left: (n) =>
      `${
        count(n, "Datei ist", "Dateien sind")
      } zu groß für diesen Browser. Die Kommandozeile lädt alles herunter: ` +
      "strongroom export-all ORDNER",
    unread: (n) => `${count(n, "Datei", "Dateien")} nicht lesbar:`,
    zipName: "fotos.zip",
    exportName: "strongroom-export",
    all: {
      why: "Zip-Dateien mit jedem Foto und jedem Video, einmal und in seinem " +
        "Ordner. Datum, Ort und Beschriftung liegen in JSON- und " +
        "XMP-Dateien daneben, und eine Liste nennt, was in welchem Album " +
        "ist. Andere Programme lesen das alles ohne strongroom.",
      begin: "Exportieren",
      size: (files, size) => `${count(files, "Datei", "Dateien")}, ${size}`,
      empty: "Es gibt noch nichts zu exportieren.",
      cli: "Für eine große Sammlung nimm die Kommandozeile. Sie macht nach " +
        "einer Unterbrechung weiter: strongroom export-all ORDNER",
    },
  },
  upload: {
    title: "Fotos hinzufügen",
    chooseFiles: "Fotos und Videos",
    chooseFolder: "Einen ganzen Ordner",
    drop: "Loslassen zum Hinzufügen",
    adding: (done, total) =>
      `${done.toLocaleString("de")} von ${
        count(total, "Datei", "Dateien")
      } fertig`,
    added: (kept, known) =>
      known === 0
        ? `${count(kept, "Datei", "Dateien")} hinzugefügt`
        : kept === 0
        ? `${count(known, "Datei ist", "Dateien sind")} schon da`
        : `${count(kept, "Datei", "Dateien")} hinzugefügt, ${known} schon da`,
    back: (n, noun) =>
      `${things(n, noun)} ${n === 1 ? "ist" : "sind"} wieder da`,
    failed: (n) =>
      `${count(n, "Datei konnte", "Dateien konnten")} nicht hinzugefügt werden`,
    progress: (done, total) => `${done} von ${total}`,
    percent: (n) => `${n} %`,
    proofsLeft: (n, names) =>
      `${count(n, "Beweis", "Beweise")} nicht hinzugefügt: ${names}`,
    andMore: (n) => `und ${count(n, "weitere Datei", "weitere Dateien")}`,
    pause: "Anhalten",
    resume: "Weiter",
    cancelAll: "Rest abbrechen",
    cancelTitle: (n) => `${count(n, "Datei", "Dateien")} abbrechen?`,
    cancelText: "Schon hinzugefügte Dateien bleiben.",
    more: "Jede Datei zeigen",
    less: "Weniger zeigen",
    proven: "Der Server hat für alle unterschrieben",
    handOver: "Ohne diese Seite senden",
    handing:
      "Lass diese Seite noch einen Moment offen. Dein Browser übernimmt " +
      "eine Datei nach der anderen, außer solchen über 256 MiB.",
    handed: (n) => `Dein Browser sendet ${count(n, "Datei", "Dateien")}`,
    mayClose: "Du kannst diese Seite schließen. Wenn du sie wieder öffnest, " +
      "nennt sie, was nicht angekommen ist.",
    browserTitle: (n) => `strongroom: ${count(n, "Datei", "Dateien")}`,
    browserAdded: (n) =>
      `${count(n, "Datei", "Dateien")} ohne offene Seite hinzugefügt`,
    states: {
      waiting: "wartet",
      preparing: "wird vorbereitet",
      sending: "wird gesendet",
      handed: "sendet dein Browser",
      kept: "hinzugefügt",
      known: "schon da",
      back: "wieder da",
      failed: "",
    },
    notes: { empty: "hinzugefügt, aber leer", undrawn: "ohne Vorschau" },
    noted: (n) =>
      `${count(n, "Datei ist", "Dateien sind")} leer oder ohne Vorschau. ` +
      `${n === 1 ? "Sie ist" : "Sie sind"} unverändert gespeichert.`,
    halts: {
      paused: "Angehalten.",
      offline: "Keine Verbindung. Das Hochladen geht von selbst weiter.",
      full:
        "Dein Speicherplatz ist voll. Lösche etwas, oder bitte die Person, " +
        "die diesen Server betreibt, um mehr.",
      lying: "Die Quittung des Servers ist ungültig, darum wird nichts mehr " +
        "gesendet. Sag es der Person, die diesen Server betreibt.",
    },
    unfinished: (n) =>
      `${count(n, "Datei wurde", "Dateien wurden")} letztes Mal nicht fertig.`,
    unfinishedHint: "Wähle sie noch einmal aus. Nichts wird zweimal gesendet.",
    notAdded: (left, total) =>
      left >= total
        ? `${count(left, "Datei wurde", "Dateien wurden")} nicht hinzugefügt.`
        : `${left.toLocaleString("de")} von ${
          count(total, "Datei", "Dateien")
        } ${left === 1 ? "wurde" : "wurden"} nicht hinzugefügt.`,
    notAddedHint:
      "Wähle sie oder ihren Ordner noch einmal aus. Dateien, die schon " +
      "da sind, werden übersprungen.",
    againFiles: "Dateien wählen",
    againFolder: "Den Ordner wählen",
    forget: "Ausblenden",
  },
  albums,
  sharing,
  kept,
  trash: {
    title: "Papierkorb",
    empty: "Der Papierkorb ist leer",
    emptyHint:
      "Was du löschst, bleibt eine Weile hier. So lange kannst du es " +
      "wiederherstellen.",
    hint: "Wenn ihre Zeit um ist, werden Objekte endgültig gelöscht.",
    wholeTitle: (n, noun) => `${things(n, noun)} löschen?`,
    wholeAlso: "Auch gelöscht aus:",
    yourLibrary: "Deine Bibliothek",
    wholeWhy: (inAlbums) =>
      inAlbums
        ? "Die Leute in diesen Alben sehen es dann nicht mehr. Du kannst es " +
          "rückgängig machen oder alles aus dem Papierkorb wiederherstellen."
        : "Du kannst es rückgängig machen oder alles aus dem Papierkorb " +
          "wiederherstellen.",
    notInLinks: "Links zeigen nicht mehr, was im Papierkorb liegt.",
    restore: "Wiederherstellen",
    restored: (n, noun) => `${things(n, noun)} wiederhergestellt`,
    purge: "Endgültig löschen",
    purged: (n, noun) => `${things(n, noun)} endgültig gelöscht`,
    purgeTitle: (n, noun) => `${things(n, noun)} endgültig löschen?`,
    purgeWhy: "Das lässt sich nicht rückgängig machen, auch nicht von der " +
      "Person, die diesen Server betreibt.",
    select: "Auswählen",
    emptyNow: "Papierkorb leeren",
    emptyTitle: (n, noun) =>
      `${n === 1 ? "" : "Alle "}${things(n, noun)} endgültig löschen?`,
    failed: (n, noun) => `Nicht verschoben: ${things(n, noun)}.`,
  },
  settings,
  phone,
  operator,
  link: {
    title: "Geteilte Fotos",
    from: (who) => `Von ${who}`,
    summary: (n, size, noun) => `${things(n, noun)}, ${size}`,
    nothing: "Dieser Link ist leer.",
    smaller: (n, of) =>
      n < of
        ? `${n.toLocaleString("de")} davon ${
          n === 1 ? "ist eine kleinere Kopie" : "sind kleinere Kopien"
        } ohne Aufnahmeort, nicht ${
          n === 1 ? "die Originaldatei" : "die Originaldateien"
        }.`
        : of === 1
        ? "Das ist eine kleinere Kopie ohne Aufnahmeort, nicht die " +
          "Originaldatei."
        : "Das sind kleinere Kopien ohne Aufnahmeort, nicht die " +
          "Originaldateien.",
    unread: (n) =>
      `${count(n, "Datei lässt", "Dateien lassen")} sich nicht anzeigen. ` +
      "Lass dir den Link noch einmal geben.",
    opening: "Wird geöffnet …",
    downloadAll: "Alle herunterladen",
    noLink:
      "Dieser Link stimmt nicht: An seiner Adresse fehlt etwas, oder es " +
      "ist etwas dazugekommen. Lass ihn dir noch einmal geben.",
    noKey: "Dieser Link ist nicht vollständig: Sein letzter Teil fehlt. " +
      "Lass dir den ganzen Link geben.",
    badKey: "Dieser Link ist beschädigt: Sein letzter Teil ist unvollständig " +
      "oder wurde verändert. Lass dir den Link noch einmal geben.",
    wrongKey:
      "Dieser Link ist beschädigt: Sein letzter Teil öffnet ihn nicht. " +
      "Lass dir den Link noch einmal geben.",
    ended: "Diesen Link gibt es nicht, oder er ist beendet. Die Person, die " +
      "ihn geschickt hat, kann dir einen neuen machen.",
    passphraseTitle: "Kennwort eingeben",
    passphraseHint: "Die Person, die dir den Link geschickt hat, kennt es.",
    passphrase: "Kennwort",
    passphraseWrong: "Falsches Kennwort.",
    open: "Öffnen",
    waiting: (seconds) =>
      "Zu viele Anfragen auf einmal. Weiter in " +
      `${count(seconds, "Sekunde", "Sekunden")}.`,
    foot:
      "Diese Fotos werden in deinem Browser entschlüsselt. Der Server kann " +
      "sie nicht lesen. Gib diese Adresse nur an Menschen weiter, die sie " +
      "sehen dürfen.",
  },
  guest,
};
