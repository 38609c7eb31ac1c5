import type { Words } from "../en.ts";

export const entry: Words["entry"] = {
  tagline: "Deine Fotos. Nur du kannst sie sehen, und du kannst beweisen, " +
    "dass keins verloren ist.",
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
  language: "Sprache",
  signUp: "Konto anlegen",
  signIn: "Anmelden",
  byInvitation:
    "Für ein neues Konto brauchst du hier eine Einladung. Die Person, " +
    "die diesen Server betreibt, kann dir eine schicken.",
  byDomain: "Für ein neues Konto brauchst du hier eine E-Mail-Adresse, die " +
    "dieser Server zulässt, oder eine Einladung.",
  haveInvitation: "Ich habe eine Einladung",
  invited: "Du bist eingeladen, deine Fotos hier zu speichern.",
  otherPerson: "Hier ist schon jemand angemeldet. Melde dich erst ab, um " +
    "diese Einladung zu nutzen.",
  address: "E-Mail-Adresse",
  password: "Passwort",
  invitation: "Einladungscode",
  invitationHint: "Aus der Einladung, die du bekommen hast.",
  passwordHint: "Mindestens 12 Zeichen. Mehrere Wörter sind am einfachsten. " +
    "Keines der häufigsten Passwörter.",
  passwordShort: "Bitte mindestens 12 Zeichen.",
  passwordCommon: "Das ist eines der häufigsten Passwörter und wäre sofort " +
    "erraten. Nimm mehrere eigene Wörter.",
  addressWrong: "Das ist keine E-Mail-Adresse.",
  working: "Einen Moment …",
  haveAccount: "Ich habe schon ein Konto",
  noAccount: "Ich bin neu hier",
  passkey: "Mit einem Passkey anmelden",
  passkeyCancelled: "Es wurde kein Passkey benutzt. Versuch es noch einmal, " +
    "oder melde dich mit deinem Passwort an.",
  passkeyRefused: "Mit diesem Passkey kannst du dich hier nicht anmelden. " +
    "Vielleicht wurde er entfernt, oder er gehört zu einem anderen Konto.",
  provider: "Über deine Organisation anmelden",
  providerFailed:
    "Die Anmeldung wurde abgebrochen oder ist gescheitert. Versuch es " +
    "noch einmal.",
  endedTitle: "Du wurdest abgemeldet",
  ended: "Dieser Browser wurde von einem anderen Gerät abgemeldet, oder die " +
    "Sitzung ist abgelaufen. Melde dich an, dann öffnen sich deine Fotos von " +
    "selbst.",
  forget: "In diesem Browser vergessen",
  forgotten:
    "Diese Verbindung ist nicht verschlüsselt, darum hat der Browser " +
    "deinen Schlüssel beim Neuladen vergessen. Nichts ist verloren: " +
    "Melde dich an und öffne deine Fotos wie beim letzten Mal. Mit " +
    "einer Browser-Phrase bleibst du angemeldet.",
  lostPassword: "Passwort vergessen?",
  lostPasswordHow:
    "Bitte die Person, die diesen Server betreibt, um einen Link für ein " +
    "neues. Deine Fotos öffnest du weiter mit deinen 24 Wörtern, deinem " +
    "Rettungssatz oder einem anderen deiner Geräte.",
  newPassword: "Neues Passwort",
  newPasswordAgain: "Neues Passwort noch einmal",
  passwordsDiffer: "Die beiden Passwörter sind verschieden.",
  resetTitle: "Neues Passwort setzen",
  resetWhy: "Mit diesem Link ersetzt du ein vergessenes Passwort, einmal.",
  resetPhotos:
    "Dein Schlüssel und deine Fotos bleiben gleich. Ein neues Gerät " +
    "braucht weiterhin deine 24 Wörter, deinen Rettungssatz oder ein anderes " +
    "Gerät.",
  resetSet: "Passwort setzen",
  resetRefused:
    "Dieser Link gilt nicht: Er wurde benutzt, ist abgelaufen oder durch einen " +
    "neueren ersetzt. Bitte um einen neuen Link.",
  resetDone: "Dein neues Passwort ist gesetzt",
  resetDoneWhy:
    "Du bist überall abgemeldet. Melde dich mit dem neuen Passwort " +
    "an. Deine Fotos öffnen sich dann wie vorher.",
  wasReset: (day) =>
    `Am ${day} wurde dein Passwort mit einem Link der Person neu gesetzt, die ` +
    "diesen Server betreibt. Warst du das nicht, ändere es jetzt und frag nach.",
  wasResetAct: "Passwort ändern",
  wasResetNoted: "Nicht mehr zeigen",
  codeTitle: "Noch ein Schritt",
  code: "Code aus deiner Authenticator-App",
  codeWrong: "Falscher Code. Nimm den nächsten, den die App zeigt.",
  passwordAgain: "Bestätige, dass du es bist",
  step: (at, of) => `Schritt ${at} von ${of}`,

  wordsTitle: "Schreib diese 24 Wörter auf",
  wordsWhy: "Sie öffnen deine Fotos auf einem neuen Gerät, auch wenn du alle " +
    "anderen verlierst. Niemand sonst hat sie, auch nicht die Person, " +
    "die diesen Server betreibt. Es sind englische Wörter; schreib sie " +
    "genau so ab.",
  wordsList: "Deine 24 Wörter",
  wordsDone: "Ich habe sie aufgeschrieben",
  wordsLater: "Später erinnern",
  wordsLaterTitle: "Weiter, ohne sie aufzuschreiben?",
  wordsLaterWhy:
    "Bis du sie aufschreibst, öffnen sich deine Fotos nur in diesem " +
    "Browser. Verlierst du ihn, verlierst du sie. Du wirst erinnert.",
  wordsFile: "Wörter zur Wiederherstellung.txt",
  wordsFileText: (host, address, words) =>
    `Wörter zur Wiederherstellung für ${address} auf ${host}\n\n${words}\n\n` +
    "Wer diese Wörter hat, kann die Fotos öffnen. Heb sie dort auf, wo nur " +
    "du nachsiehst.\n",
  wordsKept: "Deine Wörter sind gesetzt. Frühere gelten nicht mehr.",
  wordsKeeping: "Deine Wörter werden gesetzt",
  copy: "Kopieren",
  print: "Drucken",
  download: "Als Datei sichern",
  checkTitle: "Gib drei deiner Wörter ein",
  checkWhy: "Damit sicher ist, dass du sie richtig aufgeschrieben hast.",
  wordsSaved: "Die Datei ist gespeichert. Heb sie dort auf, wo nur du " +
    "nachsiehst.",
  word: (place) => `Wort ${place}`,
  wordsAgain: "Die Wörter noch einmal zeigen",

  signedUpAs: (address) =>
    address === "" ? "" : `Du legst ein Konto für ${address} an.`,
  startOver: "Nicht du? Neu anfangen",

  phraseTitle: "Einen Rettungssatz dazu? (freiwillig)",
  phraseWhy: "Wie die 24 Wörter öffnet er deine Fotos auf einem neuen Gerät. " +
    "Die meisten kommen ohne ihn aus.",
  phraseLater: "In den Einstellungen kannst du ihn später ergänzen.",
  phrase: "Rettungssatz",
  phraseHint: "Mindestens 12 Zeichen und nicht dein Passwort.",
  strength: ["Leicht zu erraten", "Geht so", "Stark"],
  strengthName: "Wie schwer zu erraten",
  withoutPhrase: "Überspringen",
  withPhrase: "Diesen Satz festlegen",

  browserTitle: "In diesem Browser angemeldet bleiben?",
  browserWhy:
    "Diese Verbindung ist nicht verschlüsselt, darum kann der Browser " +
    "deinen Schlüssel nicht behalten. Nach jedem Neuladen meldest du " +
    "dich neu an und gibst deine Wörter ein. Mit einer Browser-Phrase " +
    "bleibst du angemeldet.",
  browserNeeded:
    "Du hast deine Wörter noch nicht aufgeschrieben, also muss dieser " +
    "Browser deinen Schlüssel behalten. Wähle eine Browser-Phrase, die " +
    "ihn schützt.",
  unlockPhrase: "Browser-Phrase",
  unlockPhraseHint: "Mindestens 12 Zeichen und nicht dein Passwort.",
  withUnlockPhrase: "Angemeldet bleiben",
  withoutUnlockPhrase: "Jedes Mal neu anmelden",
  finish: "Zu deinen Fotos",
  making: "Deine Schlüssel werden erstellt …",

  remindText:
    "Du hast deine 24 Wörter noch nicht aufgeschrieben. Verlierst du " +
    "ohne sie diesen Browser, verlierst du deine Fotos.",
  mayForget: "Dieser Browser kann deinen Schlüssel bei knappem Speicher auch " +
    "von selbst löschen.",
  suspendedText:
    "Die Person, die diesen Server betreibt, hat dein Konto gesperrt. " +
    "Du kannst ansehen, herunterladen und löschen, aber nichts " +
    "hinzufügen oder teilen.",
  suspendedAct: "Was geschah",
  remindAct: "Jetzt aufschreiben",
  escrow: {
    given_back:
      "Der Server wurde aus einer Sicherung wiederhergestellt und hatte " +
      "deine neuesten Wörter verloren. Dieser Browser hat sie " +
      "zurückgegeben, sie gelten also wieder.",
    due: "Der Server wurde aus einer Sicherung wiederhergestellt und hat " +
      "deine neuesten Wörter verloren. Bis du neue machst, gelten nur " +
      "ältere oder keine.",
    unknown: "Der Server wurde aus einer Sicherung wiederhergestellt, und " +
      "dieser Browser kann nicht sagen, ob deine Wörter noch gelten. Mach neue, " +
      "um sicher zu sein.",
  },
  escrowAct: "Neue Wörter machen",

  overtaken:
    "Ein anderes Gerät hat dieses Konto im selben Moment eingerichtet. " +
    "Wurden dir hier Wörter gezeigt, streich sie durch: Sie öffnen " +
    "nichts. Nimm die Wörter des anderen Geräts.",
  unlockTitle: "Öffne deine Fotos auf diesem Gerät",
  unlockWhy: "Du bist angemeldet. Deine Fotos sind mit einem Schlüssel " +
    "verschlüsselt, den dieses Gerät noch nicht hat. Wähle, wie es ihn " +
    "bekommt.",
  byDevice: "Mit einem anderen Gerät",
  byDeviceWhy: "Ein Telefon oder Computer, auf dem deine Fotos offen sind.",
  byWords: "Mit deinen 24 Wörtern",
  byWordsWhy: "Die Wörter, die du beim Anlegen des Kontos aufgeschrieben hast.",
  byPhrase: "Mit deinem Rettungssatz",
  byPhraseWhy:
    "Der Satz, den du dir ausgedacht hast. Eine Browser-Phrase hilft " +
    "hier nicht.",
  nothingKept:
    "Dieses Konto hat weder Wörter noch einen Rettungssatz. Öffne es " +
    "mit einem anderen Gerät.",
  deviceHow:
    "Öffne auf dem anderen Gerät „Einstellungen“, dann „Geräte“, dann " +
    "„Gerät hinzufügen“. Scanne den Code, den es zeigt, oder tipp ihn " +
    "ein.",
  scan: "Mit der Kamera scannen",
  scanStop: "Kamera aus",
  scanWait: "Halte die Kamera auf den Code auf dem anderen Gerät.",
  scanFailed:
    "Die Kamera lässt sich nicht nutzen. Tipp stattdessen den Code ein.",
  scanOther: "Dieser Code ist für etwas anderes.",
  typedCode: "Code auf dem anderen Gerät",
  typedCodeHint: "Zehn Buchstaben und Ziffern, etwa K7Q2M-4XW9P.",
  connect: "Verbinden",
  connecting: "Verbindung mit dem anderen Gerät …",
  sameTitle: "Zeigen beide Geräte dieselben Wörter?",
  sameWhy: "Wenn nicht, brich ab: Jemand könnte zwischen deinen Geräten " +
    "mithören.",
  sameForeign: (origin) =>
    `Der Code gehört zu einer anderen Adresse: ${origin}. Mach nur weiter, ` +
    "wenn du weißt, dass das dein Server ist und die Wörter dieselben sind.",
  same: "Es sind dieselben",
  notSame: "Sie sind verschieden",
  joinFirst: "Melde dich erst an. Dann öffnen sich deine Fotos von selbst, " +
    "mit dem Gerät, das dir den Code gezeigt hat.",
  joinHere: "Auf diesem Gerät sind deine Fotos schon offen.",
  wordsField: "Deine 24 Wörter",
  wordsHint: "In ihrer Reihenfolge, mit Leerzeichen dazwischen.",
  wordsCount: (count) => `${count} von 24 Wörtern`,
  unlock: "Öffnen",
  sealedTitle: "Gesperrt",
  sealedWhy:
    "Deine Browser-Phrase öffnet hier deine Fotos. Sie ist nicht dein " +
    "Passwort und nicht dein Rettungssatz.",
  sealedWrong: "Falsche Browser-Phrase.",
  sealedForget: "Ich habe sie vergessen",
  sealedForgetTitle: "Den Schlüssel dieses Browsers vergessen?",
  sealedForgetWhy:
    "Du meldest dich dann mit deinem Passwort an und öffnest deine " +
    "Fotos mit einem anderen Gerät, deinen 24 Wörtern oder deinem " +
    "Rettungssatz. Ohne eines davon bleiben sie verschlossen.",
  sealedForgetAct: "Vergessen und anmelden",

  publicTitle: "Diese Verbindung ist nicht sicher",
  publicWhy:
    "Diese Adresse liegt im öffentlichen Internet, und die Verbindung " +
    "ist nicht verschlüsselt. Jeder auf dem Weg könnte dein Passwort " +
    "lesen und diese App verändern, darum kannst du dich hier nicht " +
    "anmelden.",
  publicTry: "Die verschlüsselte Adresse versuchen",
  otherBuildTitle: "Eine neuere Version läuft",
  otherBuild: "Sie wurde in einem anderen Tab gestartet. Lade diese Seite " +
    "neu, um weiterzumachen.",
  reload: "Neu laden",
  /** What a browser is called among the devices. */
  browsers: {
    unknown: "Browser",
    android: (browser: string) => `${browser} unter Android`,
    iphone: (browser: string) => `${browser} auf dem iPhone`,
    ipad: (browser: string) => `${browser} auf dem iPad`,
    mac: (browser: string) => `${browser} auf dem Mac`,
    windows: (browser: string) => `${browser} unter Windows`,
    linux: (browser: string) => `${browser} unter Linux`,
  },
};
