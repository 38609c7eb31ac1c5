import type { Words } from "../en.ts";

export const settings: Words["settings"] = {
  title: "Einstellungen",
  lockFirst: "Wähle erst eine Browser-Phrase",
  lockFirstWhy:
    "Sie öffnet deine Fotos in diesem Browser wieder. Ohne sie könnte " +
    "das auch jeder, der diesen Browser benutzt.",
  signOutTitle: "Von diesem Browser abmelden?",
  signOutWhy:
    "Um deine Fotos hier wieder zu öffnen, brauchst du dein Passwort. " +
    "Außerdem brauchst du deine 24 Wörter, deinen Rettungssatz oder " +
    "ein anderes Gerät, auf dem sie offen sind.",
  signOutWithout: "Ohne deine Wörter abmelden?",
  signOutWithoutWhy:
    "Du hast deine 24 Wörter nicht aufgeschrieben und hast keinen " +
    "Rettungssatz. Sind deine Fotos auf keinem anderen Gerät offen, " +
    "verlierst du sie, wenn du dich hier abmeldest.",
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
    operator: "Server betreiben",
    delete: "Konto löschen",
  },
  saved: "Gespeichert",

  name: "Dein Name",
  nameHint: "Andere sehen ihn in euren Alben. Er kann leer bleiben.",
  handle: "Dein Kurzname",
  handleHint:
    "Damit finden dich andere ohne deine E-Mail-Adresse. Verwende 3 " +
    "bis 32 Kleinbuchstaben, Ziffern und _, mit einem Buchstaben am " +
    "Anfang. Bleibt er leer, findet dich niemand über einen Kurznamen.",
  handleWrong: "Verwende 3 bis 32 Kleinbuchstaben, Ziffern und _, mit einem " +
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
  passwordChanged:
    "Dein Passwort ist geändert. Alle anderen Geräte wurden abgemeldet.",
  passwordWhy:
    "Das Ändern meldet alle anderen Geräte ab. Dein Schlüssel, deine " +
    "Wörter und dein Rettungssatz bleiben, wie sie sind.",
  factor: "Zweiter Faktor",
  factorOn: "An: Zum Anmelden brauchst du einen Code aus deiner " +
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
  factorWarn:
    "Ersatzcodes gibt es nicht. Schreib den Schlüssel auf, den du der " +
    "App gibst, und heb ihn bei deinen 24 Wörtern auf. Damit zeigt " +
    "jede Authenticator-App deine Codes wieder. Verlierst du beides, " +
    "kann nur die Person helfen, die diesen Server betreibt.",
  factorOffTitle: "Den zweiten Faktor ausschalten?",

  passkeys: "Passkeys",
  passkeysWhy: "Mit einem Passkey meldest du dich mit Fingerabdruck, Gesicht " +
    "oder der PIN deines Geräts an, ohne Passwort und ohne Code.",
  passkeysNone: "Du hast noch keine Passkeys.",
  passkeysNotHere:
    "Passkeys brauchen eine Adresse mit einem Namen und https, " +
    "und diese hier ist keine solche.",
  passkeyAdd: "Passkey hinzufügen",
  passkeyAdded: "Der Passkey ist hinzugefügt.",
  passkeyAddedOpens: "Der Passkey ist hinzugefügt. Er öffnet auch deine Fotos.",
  passkeyOnce: "Bestätige noch einmal, damit der Passkey auch deine Fotos " +
    "öffnet.",
  passkeyFailed: "Es wurde kein Passkey angelegt.",
  passkeyKnown: "Dieses Gerät hat schon einen Passkey für dich.",
  passkeyOpens: "Meldet dich an und öffnet deine Fotos",
  passkeySigns: "Meldet dich an; um deine Fotos zu öffnen, braucht ein neues " +
    "Gerät noch deine Wörter oder ein anderes Gerät",
  passkeyRename: (name: string) => `„${name}“ umbenennen`,
  passkeyRenameTitle: "Diesen Passkey umbenennen",
  passkeyRemove: (name: string) => `„${name}“ entfernen`,
  passkeyRemoveTitle: (name: string) => `„${name}“ entfernen?`,
  passkeyRemoveWhy: "Er meldet dich dann nicht mehr an. Lösche ihn auch auf " +
    "seinem Gerät.",
  passkeyRemoved: "Der Passkey ist entfernt.",

  devices: "Angemeldet",
  devicesWhy: "Wo dein Konto angemeldet ist. Melde ab, was du nicht kennst.",
  otherDevices: "Nicht angemeldet",
  unconfirmed:
    "Dieses Gerät ist noch nicht bestätigt. Du hast dein Konto nur mit " +
    "deinen Wörtern geöffnet. Dieses Gerät muss deshalb dem Server " +
    "glauben, wer die Personen sind, mit denen du teilst. Öffne " +
    "strongroom auf einem anderen deiner Geräte, oder vergleiche noch " +
    "einmal die Sicherheitsnummern der Personen, auf die es ankommt.",
  behind: "Der Server zeigt nicht, was deine anderen Geräte wissen. Deshalb " +
    "traut dieses Gerät niemandem neu. Öffne strongroom auf einem " +
    "anderen deiner Geräte. Hast du alle verloren, kannst du mit dem " +
    "weitermachen, was der Server jetzt zeigt.",
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
  endWhy: "Es muss sich neu anmelden. Seine gespeicherten Daten bleiben " +
    "verschlüsselt.",
  ended: "Das Gerät ist abgemeldet.",
  add: "Gerät hinzufügen",
  addTitle: "Gerät hinzufügen",
  addHow: "Öffne auf dem neuen Gerät diese Adresse und melde dich an. Wähle " +
    "„Mit einem anderen Gerät“, dann scanne diesen Code oder tipp ihn " +
    "ein.",
  addQr: "QR-Code für das neue Gerät",
  addAddress: "Adresse",
  addCode: "Code",
  addUntil: (time) => `Gilt einmal, bis ${time}.`,
  addCompare: (name) => `„${name}“ möchte deine Fotos öffnen.`,
  addWorking: "Die Geräte werden verbunden …",
  addDone: (name) => `Auf „${name}“ sind deine Fotos jetzt offen.`,
  everywhere: "Überall abmelden",
  everywhereTitle: "Überall abmelden?",
  everywhereWithout: "Ohne deine Wörter überall abmelden?",
  everywhereWithoutWhy:
    "Du hast deine 24 Wörter nicht aufgeschrieben und hast keinen " +
    "Rettungssatz. Hat kein anderes Gerät deinen Schlüssel, verlierst " +
    "du deine Fotos, wenn du dich abmeldest.",
  everywhereWhy:
    "Das meldet jedes Gerät ab, auch dieses. Dieser Browser vergisst außerdem " +
    "deinen Schlüssel: Um deine Fotos hier zu öffnen, brauchst du dein " +
    "Passwort, und deine 24 Wörter, deinen Rettungssatz oder ein anderes " +
    "Gerät. Die anderen Geräte behalten ihn: Dort genügt das Passwort. Wurde " +
    "eines gestohlen, ändere auch dein Passwort.",

  words: "24 Wörter",
  wordsOn: "Aufgeschrieben. Sie öffnen deine Fotos auf einem neuen Gerät.",
  wordsOff: "Noch nicht aufgeschrieben. Verlierst du ohne sie deine Geräte, " +
    "verlierst du deine Fotos.",
  wordsAnew: "Neue Wörter machen",
  wordsAnewWhy:
    "Mach neue Wörter, wenn jemand deine gesehen haben könnte. Die " +
    "alten gelten dann nicht mehr.",
  phrase: "Rettungssatz",
  phraseOn: "Festgelegt. Er öffnet deine Fotos auf einem neuen Gerät.",
  phraseOff: "Keiner.",
  phraseSet: "Rettungssatz festlegen",
  phraseChange: "Satz ändern",
  phraseDrop: "Satz entfernen",
  phraseKept: "Der Rettungssatz ist festgelegt.",
  phraseDropped: "Der Rettungssatz ist entfernt.",

  lock: "Sperre",
  lockWhy: "Mit einer Browser-Phrase kannst du diesen Browser sperren. Deine " +
    "Fotos bleiben dann in jedem Tab geschlossen, bis du sie eintippst.",
  lockOn: "Eine Browser-Phrase ist gesetzt.",
  lockOff:
    "Keine Browser-Phrase: Wer diesen Browser benutzen kann, kann deine " +
    "Fotos öffnen.",
  lockOffHttp: "Keine Browser-Phrase: Nach dem Neuladen musst du dich neu " +
    "anmelden.",
  lockSet: "Browser-Phrase setzen",
  lockChange: "Ändern",
  lockDrop: "Entfernen",
  lockKept: "Die Browser-Phrase ist gesetzt.",
  lockDropped: "Die Browser-Phrase ist entfernt.",
  lasting: "Dein Schlüssel in diesem Browser",
  lastingOn:
    "Dieser Browser hat zugesagt, deinen Schlüssel nicht von selbst zu löschen.",
  lastingOff: "Dieser Browser kann deinen Schlüssel von selbst löschen, zum " +
    "Beispiel wenn der Speicher voll ist. Dann brauchst du deine 24 " +
    "Wörter oder ein anderes Gerät, um deine Fotos zu öffnen.",
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
  usedReserved: "Wird gerade hochgeladen",
  usedNone: "Dein Konto hat keine Grenze.",
  usedName: "Speicherplatz",
  usedWhy: "Vorschauen und Papierkorb zählen mit: Ein Export ist kleiner.",

  language: "Sprache",
  look: "Darstellung",
  looks: { auto: "Wie das Gerät", light: "Hell", dark: "Dunkel" },

  standing: "Dein Konto",
  standingActive:
    "Alles in Ordnung. Die Person, die diesen Server betreibt, hat es " +
    "nicht eingeschränkt.",
  standingSuspended: (day) =>
    `Gesperrt seit ${day}. Du kannst ansehen, herunterladen und ` +
    "löschen, aber nichts hinzufügen oder teilen.",
  recordTitle: "Maßnahmen",
  recordNone: "Keine.",
  recordWhy: "Die Person, die diesen Server betreibt, kann deine Fotos nicht " +
    "sehen, aber ein Konto sperren oder eine Datei zurückhalten. Was " +
    "sie getan hat, steht hier.",
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
  originWhy:
    "Links und Codes, die du machst, beginnen mit dieser Adresse. Wer " +
    "über sie verfügt, kann lesen, was ein Link öffnet.",
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

  deleteWhy: "Das ist endgültig. Niemand kann es rückgängig machen.",
  deleteGoes: [
    "Alle deine Fotos, Videos und Dateien, auch im Papierkorb",
    "Deine Alben und Links, auch die, über die dir andere etwas schicken",
    "Die Kopien deines Schlüssels auf dem Server, deine Geräte und " +
    "deine Sitzungen",
  ],
  deleteStays:
    "Fotos, die andere zu deinen Alben hinzugefügt haben, bleiben ihre.",
  deleteExport: "Lade vorher herunter, was du behalten willst.",
  deleteType: (word) => `Tippe „${word}“, um weiterzumachen`,
  deleteWord: "alles löschen",
  deleteAct: "Konto löschen",
};
