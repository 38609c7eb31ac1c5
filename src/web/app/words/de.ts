/** German. */
import type { Words } from "./en.ts";

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
    insecure: "Diese Verbindung ist nicht verschlüsselt: Wer in diesem Netz " +
      "ist, kann das Passwort mitlesen und dieses Programm verändern.",
    insecureMore: "Was tun?",
  },
  entry: {
    tagline: "Deine Fotos, nur für dich lesbar und nachweislich verwahrt.",
    points: [
      [
        "Nur du kannst sie öffnen",
        "Fotos werden auf deinem Gerät verschlüsselt, bevor sie es verlassen. " +
        "Dieser Server kann sie nicht ansehen.",
      ],
      [
        "Du siehst, dass sie sicher sind",
        "Für jedes Foto unterschreibt der Server eine Quittung, und diese App " +
        "prüft sie.",
      ],
      [
        "Teile mit allen",
        "Ein Album mit der Familie, oder ein Link, der endet, wann du willst.",
      ],
    ],
    server: (host) => `auf ${host}`,
    signUp: "Konto anlegen",
    signIn: "Anmelden",
    address: "E-Mail-Adresse",
    password: "Passwort",
    invitation: "Einladungscode",
    passwordHint: "Mindestens 12 Zeichen. Mehrere Wörter sind am einfachsten.",
    working: "Einen Moment …",
    code: "Code aus deiner Authenticator-App",
    codeWrong: "Dieser Code stimmt nicht. Nimm den nächsten, den sie zeigt.",
    passwordAgain: "Bitte dein Passwort, damit klar ist, dass du es bist",
    wordsTitle: "Schreib diese 24 Wörter auf",
    wordsWhy:
      "Sie öffnen deine Fotos auf einem neuen Gerät, wenn alle anderen " +
      "weg sind. Niemand kann sie ersetzen: auch nicht, wer diesen Server " +
      "betreibt.",
    wordsDone: "Ich habe sie aufgeschrieben",
    unlockTitle: "Öffne deine Fotos auf diesem Gerät",
    unlockWhy: "Du bist angemeldet. Deine Fotos sind mit einem Schlüssel " +
      "verschlüsselt, den dieses Gerät noch nicht hat.",
    unlockWords: "Deine 24 Wörter oder dein Satz",
    unlock: "Öffnen",
  },
  photos: {
    title: "Fotos",
    empty: "Noch keine Fotos",
    emptyHint: "Zieh Fotos irgendwo auf diese Seite, oder wähle welche aus.",
    count: (n) => count(n, "Foto", "Fotos"),
    favourites: "Favoriten",
    noFavourites: "Noch keine Favoriten",
    noFavouritesHint: "Wähle Fotos aus und drück auf das Herz.",
    hidden: "Ausgeblendet",
    noHidden: "Nichts ist ausgeblendet",
    noHiddenHint: "Was du ausblendest, steht nur hier und sonst nirgends.",
    nothingFound: (q) => `Nichts gefunden für „${q}“`,
    nothingFoundHint:
      "Versuch einen Monat, ein Stück eines Namens, eine Kamera oder „Filme“.",
    favourite: "Zu den Favoriten",
    unfavourite: "Aus den Favoriten nehmen",
    hide: "Ausblenden",
    unhide: "Wieder zeigen",
    toTrash: "Löschen",
    trashed: (n) => `${count(n, "Foto", "Fotos")} in den Papierkorb gelegt`,
    undo: "Rückgängig",
  },
  grid: {
    select: "Auswählen",
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
  lightbox: {},
  upload: {
    title: "Fotos hinzufügen",
    chooseFiles: "Fotos und Filme",
    chooseFolder: "Einen ganzen Ordner",
    drop: "Loslassen zum Hinzufügen",
    adding: (n) => `${count(n, "Datei wird", "Dateien werden")} hinzugefügt`,
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
    more: "Jede Datei zeigen",
    less: "Weniger zeigen",
    proven: "Der Server hat für jede davon unterschrieben",
    states: {
      waiting: "wartet",
      preparing: "wird vorbereitet",
      sending: "wird gesendet",
      kept: "verwahrt",
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
    forget: "Nicht mehr nötig",
  },
  albums: { title: "Alben" },
  sharing: { title: "Teilen" },
  kept: { title: "Sicherheit" },
  trash: {
    title: "Papierkorb",
    empty: "Der Papierkorb ist leer",
    emptyHint: "Was du löschst, bleibt eine Weile hier, bevor es weg ist.",
    daysLeft: (days) => `noch ${count(days, "Tag", "Tage")}`,
  },
  settings: { title: "Einstellungen", language: "Sprache" },
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
    newVersion: "Es gibt eine neuere Fassung dieser App. Lade die Seite neu.",
    internal: "In dieser App ist etwas schiefgegangen.",
    codes: {
      "error.auth.credentials_invalid":
        "Die E-Mail-Adresse oder das Passwort stimmt nicht.",
      "error.auth.address_taken": "Mit dieser Adresse gibt es schon ein Konto.",
      "error.auth.second_factor_invalid": "Dieser Code stimmt nicht.",
      "error.storage.quota_exceeded": "Du hast keinen Platz mehr.",
      "error.storage.full": "Der Server hat keinen Platz mehr.",
    },
    escrow: "Das sind nicht die Wörter dieses Kontos.",
  },
};
