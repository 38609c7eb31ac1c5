/** German. */
import { connection } from "./de/connection.ts";
import { entry } from "./de/entry.ts";
import { guest } from "./de/guest.ts";
import { kept } from "./de/kept.ts";
import { settings } from "./de/settings.ts";
import type { Words } from "./en.ts";
import { albums } from "./de/albums.ts";
import { sharing } from "./de/sharing.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

export const de: Words = {
  common: {
    cancel: "Abbrechen",
    close: "Schließen",
    done: "Fertig",
    back: "Zurück",
    next: "Weiter",
    save: "Speichern",
    copy: "Kopieren",
    copied: "Kopiert",
    retry: "Noch einmal",
    remove: "Entfernen",
    delete: "Löschen",
    more: "Mehr",
    loading: "Wird geladen …",
    show: "Zeigen",
    hide: "Verbergen",
    items: (n) => count(n, "Element", "Elemente"),
  },
  frame: {
    skip: "Zum Inhalt springen",
    photos: "Fotos",
    albums: "Alben",
    sharing: "Teilen",
    kept: "Sicherheit",
    trash: "Papierkorb",
    settings: "Einstellungen",
    upload: "Fotos hinzufügen",
    search: "Fotos suchen",
    account: "Konto",
    signOut: "Abmelden",
    lock: "Jetzt sperren",
    offline: "Keine Verbindung. Zu sehen ist, was dieses Gerät kennt.",
    insecure: "Nicht verschlüsselt",
    insecureWhy: ": Andere in diesem Netz können dein Passwort lesen und " +
      "diese App verändern.",
    insecureMore: "Was tun?",
    forgets: "Dieser Browser vergisst dich, wenn die Seite neu geladen wird.",
    forgetsAct: "Hier angemeldet bleiben",
  },
  connection,
  entry,
  photos: {
    title: "Fotos",
    empty: "Noch keine Fotos",
    emptyHint: "Zieh Fotos irgendwo auf diese Seite, oder wähle welche aus.",
    emptyHintTouch: "Füge mit dem Knopf Fotos von diesem Gerät hinzu.",
    choose: "Fotos auswählen",
    count: (n) => count(n, "Foto", "Fotos"),
    favourites: "Favoriten",
    noFavourites: "Noch keine Favoriten",
    noFavouritesHint: "Wähle Fotos aus und drück auf das Herz.",
    hidden: "Ausgeblendet",
    noHidden: "Nichts ist ausgeblendet",
    noHiddenHint: "Was du ausblendest, steht nur hier und sonst nirgends.",
    nothingFound: (q) => `Nichts gefunden für „${q}“`,
    found: (n) => `${count(n, "Foto", "Fotos")} gefunden`,
    nothingFoundHint:
      "Versuch einen Monat, ein Stück eines Namens, eine Kamera oder „Filme“.",
    favourite: "Zu den Favoriten",
    unfavourite: "Aus den Favoriten nehmen",
    hide: "Ausblenden",
    unhide: "Wieder zeigen",
    toTrash: "Löschen",
    trashed: (n) => `${count(n, "Foto", "Fotos")} in den Papierkorb gelegt`,
    hiddenNow: (n) => `${count(n, "Foto", "Fotos")} ausgeblendet`,
    shownAgain: (n) => `${count(n, "Foto", "Fotos")} wieder zu sehen`,
    undo: "Rückgängig",
  },
  search: {
    placeholder: "Suchen",
    films: "Filme",
    clear: "Suche leeren",
    filmsWord: "filme",
    screenshots: "Bildschirmfotos",
    screenshotsWord: "bildschirmfotos",
  },
  grid: {
    undated: "Ohne Datum",
    select: "Auswählen",
    scrubber: "Zu einem Monat gehen; tipp ihn ein, etwa „juni 2019“",
    selectDay: (day) => `Alles von ${day} auswählen`,
    selected: (n) => `${n.toLocaleString("de")} ausgewählt`,
    isSelected: "ausgewählt",
    isFavourite: "Favorit",
    selection: "Ausgewählte Fotos",
    unselect: "Nichts auswählen",
    damaged: "Beschädigt",
    kinds: {
      photo: "Foto",
      live: "Live-Foto",
      film: "Film",
      sound: "Ton",
      file: "Datei",
    },
    keysTitle: "Tasten",
    keys: [
      ["← → ↑ ↓", "Von Foto zu Foto"],
      ["Pos1 Ende", "Zum neuesten, zum ältesten"],
      ["Bild↑ Bild↓", "Ein Fenster weiter"],
      ["Enter", "Ansehen"],
      ["x", "Auswählen oder nicht"],
      ["Umschalt+→", "Weiter und weiter auswählen"],
      ["Esc", "Nichts auswählen"],
      ["Entf", "Löschen"],
      ["f", "Favorit"],
      ["i", "Angaben"],
      ["/", "Suchen"],
      ["?", "Diese Liste"],
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
    actions: "Was damit zu tun ist",
    short: {
      share: "Teilen",
      favourite: "Favorit",
      "add-to-album": "Album",
      restore: "Zurückholen",
      delete: "Löschen",
      purge: "Löschen",
      download: "Laden",
      info: "Info",
    },
    play: "Abspielen",
    pause: "Anhalten",
    mute: "Ton aus",
    small: "In kleinem Fenster",
    unmute: "Ton an",
    position: "Stelle im Film",
    live: "Live-Foto abspielen",
    liveBadge: "Live",
    loading: "Wird geladen",
    originalDamaged:
      "Das Original auf dem Server ist beschädigt oder wurde verändert. Das " +
      "hier ist das kleinere Bild, das daneben verwahrt wird.",
    notDrawn: "Dieser Browser kann dieses Bild nicht zeigen. Lade es " +
      "herunter, um es mit einem anderen Programm zu öffnen.",
    notDrawnOriginal:
      "Dieser Browser kann das Original nicht zeigen. Das hier ist das " +
      "kleinere Bild, das daneben verwahrt wird.",
    notPlayed: "Dieser Browser kann diesen Film nicht abspielen. Lade ihn " +
      "herunter, um ihn mit einem anderen Programm zu öffnen.",
    notHeard: "Dieser Browser kann diesen Ton nicht abspielen. Lade ihn " +
      "herunter, um ihn mit einem anderen Programm zu öffnen.",
    tooLarge: (size) =>
      `Dieser Film hat ${size}, und ohne https kann ein Browser ihn erst ` +
      "abspielen, wenn er ganz da ist. Lade ihn herunter, um ihn anzusehen.",
    noPreview: "Von dieser Art Datei gibt es keine Vorschau.",
    openPdf: "Öffnen",
    textCut: (size) => `Die ersten ${size} dieses Textes.`,
    about: {
      title: "Informationen",
      caption: "Beschriftung hinzufügen",
      captionLabel: "Beschriftung",
      dateEdit: "Datum und Uhrzeit ändern",
      date: "Datum",
      time: "Uhrzeit",
      zone: "Zeitzone",
      zoneUnknown: "Nicht bekannt",
      zoneHint: "Am Ort der Aufnahme, verglichen mit London im Winter.",
      undated: "Datum nicht bekannt",
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
      altitude: (metres) => `${metres} m über dem Meer`,
      albums: "Alben",
      noAlbums: "In keinem Album",
      safety: "Sicherheit",
      saved: "Gespeichert",
      custody: {
        unverified: "Auf diesem Gerät noch nicht nachgewiesen",
        receipted:
          "Der Server hat dafür unterschrieben, und die Unterschrift stimmt",
        confirmed:
          "Der Server hat dafür unterschrieben und noch einmal bestätigt, " +
          "dass er es hat",
        read_back: "Zurückgelesen und verglichen: Es ist, was du hinzugefügt " +
          "hast",
        missing: "Der Server hat es nicht mehr",
        damaged: "Was der Server hat, ist beschädigt",
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
    ready: "Es ist bereit.",
    partsWhy: "Dieser Browser hält einen Download im Speicher, bis er ganz " +
      "da ist. Darum kommt er in Teilen.",
    begun: "Der Download läuft. Lass diese Seite offen, bis er fertig ist.",
    done: (name) => `${name} ist gespeichert`,
    exported: (files, size) =>
      `Fertig: ${count(files, "Datei", "Dateien")}, ${size}.`,
    noPicker:
      "Dieser Browser ließ dich keinen Ort wählen: Die Datei kommt zu " +
      "deinen Downloads.",
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
      why: "Jedes Foto und jeder Film einmal, in seinem Ordner, als " +
        "Zip-Dateien, und was davon bekannt ist daneben (JSON und XMP): " +
        "Datum, Ort, Beschriftung. Eine Liste sagt, was in welchem Album ist. " +
        "Andere Programme lesen das alles ohne strongroom.",
      begin: "Exportieren",
      size: (files, size) => `${count(files, "Datei", "Dateien")}, ${size}`,
      empty: "Es gibt noch nichts zu exportieren.",
      cli: "Eine große Sammlung exportiert am besten die Kommandozeile, die " +
        "dort weitermacht, wo sie aufgehört hat: strongroom export-all ORDNER",
    },
  },
  upload: {
    title: "Fotos hinzufügen",
    chooseFiles: "Fotos und Filme",
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
    failed: (n) =>
      `${count(n, "Datei konnte", "Dateien konnten")} nicht hinzugefügt werden`,
    progress: (done, total) => `${done} von ${total}`,
    percent: (n) => `${n} %`,
    andMore: (n) => `und ${count(n, "weitere Datei", "weitere Dateien")}`,
    pause: "Anhalten",
    resume: "Weiter",
    cancelAll: "Rest abbrechen",
    cancelTitle: (n) =>
      `${count(n, "weitere Datei", "weitere Dateien")} nicht hinzufügen?`,
    cancelText: "Was schon hinzugefügt ist, bleibt.",
    more: "Jede Datei zeigen",
    less: "Weniger zeigen",
    proven: "Der Server hat für jede davon unterschrieben",
    states: {
      waiting: "wartet",
      preparing: "wird vorbereitet",
      sending: "wird gesendet",
      kept: "hinzugefügt",
      known: "schon da",
      failed: "",
    },
    halts: {
      paused: "Angehalten.",
      offline: "Keine Verbindung. Es geht von selbst weiter.",
      full:
        "Es ist kein Platz mehr. Lösche etwas, oder bitte den um mehr, der " +
        "diesen Server betreibt.",
      lying: "Die Quittung des Servers stimmt nicht, darum wird nichts mehr " +
        "gesendet. Sag es dem, der diesen Server betreibt.",
    },
    unfinished: (n) =>
      `${count(n, "Datei wurde", "Dateien wurden")} letztes Mal nicht fertig.`,
    unfinishedHint:
      "Wähle sie noch einmal aus: Was schon gesendet ist, wird nicht zweimal " +
      "gesendet.",
    notAdded: (left, total) =>
      left >= total
        ? `${count(left, "Datei wurde", "Dateien wurden")} nicht hinzugefügt.`
        : `${left.toLocaleString("de")} von ${
          count(total, "Datei", "Dateien")
        } ${left === 1 ? "wurde" : "wurden"} nicht hinzugefügt.`,
    notAddedHint: "Wähle sie oder ihren Ordner noch einmal aus: Was schon da " +
      "ist, wird übersprungen.",
    againFiles: "Dateien wählen",
    againFolder: "Den Ordner wählen",
    forget: "Nicht mehr nötig",
  },
  albums,
  sharing,
  kept,
  trash: {
    title: "Papierkorb",
    empty: "Der Papierkorb ist leer",
    emptyHint: "Was du löschst, bleibt eine Weile hier, bevor es weg ist.",
    hint: "Was hier liegt, ist endgültig weg, wenn seine Zeit um ist.",
    restore: "Zurückholen",
    restored: (n) => `${count(n, "Foto", "Fotos")} zurückgeholt`,
    purge: "Endgültig löschen",
    purged: (n) => `${count(n, "Foto", "Fotos")} endgültig gelöscht`,
    purgeTitle: (n) => `${count(n, "Foto", "Fotos")} endgültig löschen?`,
    purgeWhy:
      "Danach kann das niemand zurückholen: du nicht, und auch nicht, " +
      "wer diesen Server betreibt.",
    emptyNow: "Papierkorb leeren",
    emptyTitle: (n) =>
      n === 1
        ? "1 Foto endgültig löschen?"
        : `Alle ${count(n, "Foto", "Fotos")} endgültig löschen?`,
    failed: (n) => `Nicht gelungen bei ${count(n, "Foto", "Fotos")}.`,
    daysLeft: (days) => `noch ${count(days, "Tag", "Tage")}`,
  },
  settings,
  link: {
    title: "Geteilte Fotos",
    from: (who) => `Von ${who}`,
    summary: (n, size) => `${count(n, "Datei", "Dateien")}, ${size}`,
    photoSummary: (n, size) => `${count(n, "Foto", "Fotos")}, ${size}`,
    nothing: "Es ist nichts darin.",
    opening: "Wird geöffnet …",
    downloadAll: "Alle herunterladen",
    noLink: "Das ist keine Adresse von etwas Geteiltem.",
    noKey: "Dieser Link ist nicht vollständig: Was nach dem # steht, fehlt. " +
      "Lass dir den ganzen Link geben.",
    badKey:
      "Dieser Link ist beschädigt: Was nach dem # steht, ist nicht ganz. " +
      "Lass dir den Link noch einmal geben.",
    wrongKey:
      "Was in diesem Link nach dem # steht, öffnet ihn nicht. Lass dir " +
      "den Link noch einmal geben.",
    ended:
      "Diesen Link gibt es nicht, oder er ist beendet. Von wem du ihn hast, kann dir einen neuen schicken.",
    passphraseTitle: "Bitte das Kennwort",
    passphraseHint: "Wer dir den Link geschickt hat, kennt es.",
    passphrase: "Kennwort",
    passphraseWrong: "Dieses Kennwort passt nicht.",
    open: "Öffnen",
    waiting: (seconds) =>
      `Viele Anfragen auf einmal. Weiter in ${
        count(seconds, "Sekunde", "Sekunden")
      }.`,
    foot:
      "Diese Fotos werden in deinem Browser entschlüsselt. Der Server kann " +
      "sie nicht lesen. Gib diese Adresse nur an Menschen weiter, die sie " +
      "sehen dürfen.",
  },
  guest,
  faults: {
    offline: "Der Server ist nicht erreichbar. Prüfe deine Verbindung.",
    unexpected: "Der Server hat etwas geantwortet, das diese App nicht " +
      "versteht. Versuch es später noch einmal.",
    damaged: "Was ankam, ist beschädigt oder wurde unterwegs verändert. Es " +
      "wird nicht gezeigt.",
    lying: "Der Nachweis des Servers stimmt nicht. Es wurde nichts mehr " +
      "gesendet. Sag es dem, der diesen Server betreibt.",
    tooMany: (seconds) =>
      `Zu viele Versuche. Warte ${count(seconds, "Sekunde", "Sekunden")}.`,
    waiting: (seconds) =>
      `Zu viele Versuche. Der Server wird in ${
        count(seconds, "Sekunde", "Sekunden")
      } wieder gefragt.`,
    newVersion: "Es gibt eine neuere Fassung dieser App. Lade die Seite neu.",
    internal: "In dieser App ist etwas schiefgegangen.",
    codes: {
      "error.auth.credentials_invalid":
        "Die E-Mail-Adresse oder das Passwort stimmt nicht.",
      "error.auth.user_already_exists":
        "Mit dieser Adresse gibt es schon ein Konto. Melde dich damit an.",
      "error.auth.registration_closed": "Neue Konten sind für diese Adresse " +
        "nicht offen, oder die Einladung ist verbraucht oder zu alt.",
      "error.auth.account_locked": "Zu viele falsche Passwörter. Warte eine " +
        "Viertelstunde und versuch es dann noch einmal.",
      "error.auth.unavailable": "Der Server hat gerade zu viel zu tun. " +
        "Versuch es gleich noch einmal.",
      "error.auth.challenge_expired":
        "Das hat zu lange gedauert. Melde dich noch einmal an.",
      "error.auth.second_factor_invalid": "Dieser Code stimmt nicht.",
      "error.auth.second_factor_code_refused":
        "Dieser Code stimmt nicht. Nimm den nächsten, den sie zeigt.",
      "error.auth.second_factor_attempts_exhausted":
        "Zu viele falsche Codes. Warte eine Viertelstunde und versuch es dann " +
        "noch einmal.",
      "error.auth.password_incorrect": "Das Passwort stimmt nicht.",
      "error.auth.reauthentication_required": "Damit sicher ist, dass du es " +
        "bist, braucht es eine frische Anmeldung. Melde dich ab und wieder an.",
      "error.auth.session_token_invalid": "Du wurdest abgemeldet.",
      "error.auth.oidc_not_configured":
        "Die Anmeldung anderswo ist hier nicht eingerichtet.",
      "error.auth.oidc_state_invalid":
        "Das hat zu lange gedauert. Melde dich noch einmal an.",
      "error.auth.oidc_token_invalid":
        "Die andere Seite hat dich nicht bestätigt. Versuch es noch einmal.",
      "error.auth.oidc_exchange_failed":
        "Die andere Seite hat dich nicht bestätigt. Versuch es noch einmal.",
      "error.auth.oidc_unavailable": "Die Stelle, an der du dich anmeldest, " +
        "ist nicht erreichbar. Versuch es später noch einmal.",
      "error.auth.oidc_redirect_invalid": "Die Anmeldung anderswo ist für " +
        "eine andere Adresse dieses Servers eingerichtet.",
      "error.auth.oidc_address_taken": "Mit dieser Adresse gibt es ein Konto " +
        "mit Passwort. Melde dich damit an.",
      "error.account.suspended": "Wer diesen Server betreibt, hat dein Konto " +
        "gesperrt: Du kannst ansehen, laden und löschen, aber nichts " +
        "hinzufügen.",
      "error.account.limit_reached": "Mehr davon kann es nicht geben. " +
        "Entferne erst welche.",
      "error.enrollment.code_refused": "Dieser Code stimmt nicht, ist " +
        "verbraucht oder zu alt. Lass das andere Gerät einen neuen zeigen.",
      "error.enrollment.channel_not_found":
        "Das andere Gerät ist weg. Lass es einen neuen Code zeigen.",
      "error.escrow.not_found":
        "Für dieses Konto sind weder Wörter noch ein Satz hinterlegt.",
      "error.user.handle_taken": "Diesen Namen hat schon jemand.",
      "error.storage.quota_exceeded": "Du hast keinen Platz mehr.",
      "error.storage.full": "Der Server hat keinen Platz mehr.",
      "error.asset.retained":
        "Es muss eine Zeit lang bleiben, die noch nicht um ist.",
      "error.asset.held": "Wer diesen Server betreibt, hält es zurück.",
    },
    pairing: "Die beiden Geräte haben nicht zueinander gefunden. Lass das " +
      "andere einen neuen Code zeigen.",
    differ: "Die Wörter sind verschieden, darum wurde nichts übergeben. " +
      "Versuch es in einem Netz, dem du traust.",
    otherAccount: "Das ist ein anderes Konto als das, in dem du angemeldet " +
      "bist.",
    escrow: "Das sind nicht die Wörter dieses Kontos.",
  },
};
