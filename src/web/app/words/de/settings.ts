import type { Words } from "../en.ts";

export const settings: Words["settings"] = {
  title: "Einstellungen",
  lockFirst: "Wähle erst eine Browser-Phrase",
  lockFirstWhy:
    "Sie öffnet deine Fotos in diesem Browser wieder. Ohne sie könnte " +
    "das auch jeder, der diesen Browser benutzt.",
  signOutTitle: "Von diesem Browser abmelden?",
  signOutWhy:
    "Um deine Fotos hier wieder zu öffnen, brauchst du dein Passwort " +
    "und dann deine 24 Wörter, deinen Rettungssatz oder ein anderes " +
    "Gerät, auf dem sie offen sind.",
  signOutWithout: "Ohne deine Wörter abmelden?",
  signOutWithoutWhy:
    "Deine 24 Wörter sind nicht aufgeschrieben, und kein Rettungssatz " +
    "ist hinterlegt. Sind deine Fotos auf keinem anderen Gerät offen, " +
    "gehen sie mit dem Abmelden verloren.",
  pages: {
    profile: "Profil",
    security: "Passwort und Codes",
    devices: "Geräte",
    phone: "Dein Handy",
    recovery: "Wiederherstellung",
    browser: "Dieser Browser",
    storage: "Speicherplatz",
    export: "Alles exportieren",
    look: "Sprache und Darstellung",
    record: "Kontostatus",
    about: "Über",
    delete: "Konto löschen",
  },
  saved: "Gespeichert",

  name: "Dein Name",
  nameHint: "Andere sehen ihn in euren Alben. Er kann leer bleiben.",
  handle: "Dein Kurzname",
  handleHint: "Damit finden dich andere ohne deine E-Mail-Adresse: 3 bis 32 " +
    "kleine Buchstaben, Ziffern und _, mit einem Buchstaben am Anfang. " +
    "Bleibt er leer, findet dich niemand darüber.",
  handleWrong: "3 bis 32 kleine Buchstaben, Ziffern und _, mit einem " +
    "Buchstaben am Anfang.",
  address: "E-Mail-Adresse",
  addressNone: "Keine: Du meldest dich über deine Organisation an.",
  since: (day) => `Konto seit ${day}`,

  password: "Passwort",
  passwordNone: "Du meldest dich über deine Organisation an: Hier gibt es " +
    "kein Passwort.",
  passwordNow: "Aktuelles Passwort",
  passwordNew: "Neues Passwort",
  passwordChange: "Passwort ändern",
  passwordChanged: "Das Passwort ist geändert. Alle anderen Geräte wurden " +
    "abgemeldet.",
  passwordWhy:
    "Das Ändern meldet alle anderen Geräte ab. Dein Schlüssel, deine " +
    "Wörter und dein Rettungssatz bleiben, wie sie sind.",
  factor: "Zweiter Faktor",
  factorOn: "An: Zum Anmelden braucht es einen Code aus deiner " +
    "Authenticator-App.",
  factorOff: "Aus: Zum Anmelden genügt dein Passwort.",
  factorTurnOn: "Einschalten",
  factorTurnOff: "Ausschalten",
  factorScan:
    "Scanne das mit deiner Authenticator-App und tipp dann den Code " +
    "ein, den sie zeigt.",
  factorHere: "Die App ist auf diesem Gerät",
  factorType: "Oder tipp das in sie ein:",
  factorQr: "QR-Code für eine Authenticator-App",
  factorCode: "Code, den sie zeigt",
  factorIsOn: "Der zweite Faktor ist an.",
  factorIsOff: "Der zweite Faktor ist aus.",
  factorWarn: "Ersatzcodes gibt es nicht. Schreib den Schlüssel auf, den die " +
    "App bekommt, und heb ihn bei deinen 24 Wörtern auf: Damit zeigt jede " +
    "Authenticator-App deine Codes wieder. Ist beides verloren, kann nur " +
    "helfen, wer diesen Server betreibt.",
  factorOffTitle: "Den zweiten Faktor ausschalten?",

  devices: "Angemeldet",
  devicesWhy: "Wo dein Konto angemeldet ist. Melde ab, was du nicht kennst.",
  otherDevices: "Nicht angemeldet",
  unconfirmed:
    "Dieses Gerät ist noch nicht bestätigt. Du hast dein Konto nur mit deinen " +
    "Wörtern geöffnet. Wer die Personen sind, mit denen du teilst, weiß es " +
    "also nur vom Server. Öffne strongroom auf einem anderen deiner Geräte, " +
    "oder vergleiche noch einmal die Sicherheitsnummern der Personen, auf die " +
    "es ankommt.",
  behind: "Der Server zeigt nicht, was deine anderen Geräte wissen. Deshalb " +
    "wird hier niemandem neu vertraut. Öffne strongroom auf einem anderen " +
    "deiner Geräte. Sind alle verloren, kannst du mit dem weitermachen, was " +
    "der Server jetzt zeigt.",
  goOn: "Ohne sie weitermachen",
  otherDevicesWhy: "Abgemeldete Geräte, die deinen Schlüssel haben",
  renameDevice: (name) => `„${name}“ umbenennen`,
  renameDeviceTitle: "Dieses Gerät umbenennen",
  deviceName: "Name",
  deviceNameHint: "Nur du siehst ihn, zum Beispiel „Laptop in der Küche“.",
  thisDevice: "Dieses",
  unnamed: "Ein Browser, in dem deine Fotos noch nicht offen sind",
  used: (when) => `Zuletzt benutzt ${when}`,
  added: (day) => `Hinzugefügt ${day}`,
  end: "Abmelden",
  endTitle: (name) => `„${name}“ abmelden?`,
  endWhy: "Es muss sich neu anmelden. Was es behält, bleibt dort versiegelt.",
  ended: "Es ist abgemeldet.",
  add: "Gerät hinzufügen",
  addTitle: "Gerät hinzufügen",
  addHow: "Öffne auf dem neuen Gerät diese Adresse und melde dich an. Wähle " +
    "dann „Mit einem anderen Gerät“ und scanne das hier, oder tipp den Code " +
    "ein.",
  addQr: "QR-Code für das neue Gerät",
  addAddress: "Adresse",
  addCode: "Code",
  addUntil: (time) => `Gilt einmal, bis ${time}.`,
  addCompare: (name) => `„${name}“ möchte deine Fotos öffnen.`,
  addWorking: "Die Geräte verbinden sich …",
  addDone: (name) => `Auf „${name}“ sind deine Fotos jetzt offen.`,
  everywhere: "Überall abmelden",
  everywhereTitle: "Überall abmelden?",
  everywhereWithout: "Ohne deine Wörter überall abmelden?",
  everywhereWithoutWhy:
    "Du hast deine 24 Wörter nicht aufgeschrieben und keinen Rettungssatz " +
    "hinterlegt. Hat kein anderes Gerät deinen Schlüssel, sind deine Fotos " +
    "nach dem Abmelden endgültig verloren.",
  everywhereWhy:
    "Jedes Gerät wird abgemeldet, auch dieses. Um deine Fotos wieder zu " +
    "öffnen, brauchst du dein Passwort und deine 24 Wörter, deinen " +
    "Rettungssatz oder ein Gerät, das den Schlüssel noch hat.",

  words: "24 Wörter",
  wordsOn: "Aufgeschrieben. Sie öffnen deine Fotos auf einem neuen Gerät.",
  wordsOff:
    "Noch nicht aufgeschrieben. Ohne sie sind mit deinen Geräten auch " +
    "deine Fotos verloren.",
  wordsAnew: "Neue Wörter machen",
  wordsAnewWhy: "Mach neue, wenn jemand sie gesehen haben könnte. Die alten " +
    "öffnen dann nichts mehr.",
  phrase: "Rettungssatz",
  phraseOn: "Hinterlegt. Er öffnet deine Fotos auf einem neuen Gerät.",
  phraseOff: "Keiner.",
  phraseSet: "Rettungssatz festlegen",
  phraseChange: "Satz ändern",
  phraseDrop: "Satz entfernen",
  phraseKept: "Der Satz ist hinterlegt.",
  phraseDropped: "Der Satz ist entfernt.",

  lock: "Sperre",
  lockWhy: "Mit einer Browser-Phrase kannst du diesen Browser sperren: Deine " +
    "Fotos sind dann in jedem Tab geschlossen, bis du sie eintippst.",
  lockOn: "Eine Browser-Phrase ist gesetzt.",
  lockOff:
    "Keine Browser-Phrase: Wer diesen Browser benutzen kann, kann deine " +
    "Fotos öffnen.",
  lockOffHttp:
    "Keine Browser-Phrase: Wird die Seite neu geladen, musst du dich " +
    "neu anmelden.",
  lockSet: "Browser-Phrase setzen",
  lockChange: "Ändern",
  lockDrop: "Entfernen",
  lockKept: "Die Browser-Phrase ist gesetzt.",
  lockDropped: "Die Browser-Phrase ist entfernt.",
  lasting: "Dein Schlüssel in diesem Browser",
  lastingOn:
    "Dieser Browser hat zugesagt, deinen Schlüssel nicht von selbst zu löschen.",
  lastingOff:
    "Dieser Browser kann deinen Schlüssel von selbst löschen, zum Beispiel " +
    "wenn der Speicher voll ist. Dann öffnen deine 24 Wörter oder ein anderes " +
    "Gerät deine Fotos.",
  lastingAsk: "Den Browser bitten, ihn zu behalten",
  lockAfter: "Sperren, wenn unbenutzt seit",
  minutes: (n) =>
    n === 0
      ? "Nie"
      : n === 1
      ? "1 Minute"
      : n === 60
      ? "Einer Stunde"
      : `${n} Minuten`,

  used2: (used) => `${used} belegt`,
  usedOf: (used, of) => `${used} von ${of} belegt`,
  usedTrash: "Davon im Papierkorb",
  usedItems: "Fotos, Videos und Dateien",
  usedReserved: "Wird gerade gesendet",
  usedNone: "Dein Konto hat keine Grenze.",
  usedName: "Speicherplatz",
  usedWhy: "Vorschauen und Papierkorb zählen mit: Ein Export ist kleiner.",

  language: "Sprache",
  look: "Darstellung",
  looks: { auto: "Wie das Gerät", light: "Hell", dark: "Dunkel" },

  standing: "Dein Konto",
  standingActive:
    "Alles in Ordnung. Wer diesen Server betreibt, hat es nicht " +
    "eingeschränkt.",
  standingSuspended: (day) =>
    `Gesperrt seit ${day}: Du kannst ansehen, laden und löschen, aber nichts ` +
    "hinzufügen oder teilen.",
  recordTitle: "Maßnahmen",
  recordNone: "Keine.",
  recordWhy: "Wer diesen Server betreibt, kann deine Fotos nicht sehen, aber " +
    "ein Konto sperren oder eine Datei zurückhalten. Was geschah, steht hier.",
  actions: {
    suspended: "Das Konto wurde gesperrt",
    reinstated: "Das Konto wurde wieder freigegeben",
    taken_down: "Eine Datei wurde entfernt",
    legal_hold: "Eine Datei wird festgehalten: Sie lässt sich nicht löschen",
    hold_lifted: "Eine Datei wird nicht mehr festgehalten",
  },
  noReason: "Ein Grund wurde nicht genannt.",

  version: "Version",
  server: "Server",
  origin: "Adresse deiner Links",
  originWhy: "Links und Codes, die du machst, beginnen mit dieser Adresse. " +
    "Wer sie betreibt, kann lesen, was ein Link öffnet.",
  originOpened: "Die Adresse, unter der du diese Seite geöffnet hast",
  originConfirmed: "Von dir bestätigt",
  originSuggested: (origin) =>
    `Der Server sagt, dass andere ihn unter ${origin} erreichen. Verwende ` +
    "die Adresse nur, wenn du weißt, dass sie die deines Servers ist.",
  originUse: (origin) => `${origin} verwenden`,
  originBack: (origin) => `Wieder ${origin} verwenden`,
  fingerprint: "Fingerabdruck deines Schlüssels",
  fingerprintWhy: "Er ist auf allen deinen Geräten derselbe. Zeigt ein " +
    "anderes Gerät einen anderen, ist es nicht dein Konto.",
  source: "strongroom ist freie Software. Deine Fotos werden auf deinen " +
    "Geräten verschlüsselt, und die Quittungen des Servers werden hier " +
    "geprüft.",

  deleteWhy: "Das ist endgültig. Niemand kann es zurückholen.",
  deleteGoes: [
    "Alle deine Fotos, Videos und Dateien, auch im Papierkorb",
    "Deine Alben und Links, auch die, über die dir andere etwas schicken",
    "Die Kopien deines Schlüssels beim Server, deine Geräte und Sitzungen",
  ],
  deleteStays: "Was andere in deine Alben gelegt haben, bleibt ihres.",
  deleteExport: "Lade vorher herunter, was du behalten willst.",
  deleteType: (word) => `Tippe „${word}“, um weiterzumachen`,
  deleteWord: "alles löschen",
  deleteAct: "Konto löschen",
};
