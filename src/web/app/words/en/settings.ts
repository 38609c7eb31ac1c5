/** The account, and this browser. */
export const settings = {
  title: "Settings",
  lockFirst: "Choose a browser phrase first",
  lockFirstWhy: "It is what opens your photos in this browser again. Without " +
    "one, whoever can use this browser could open them too.",
  signOutTitle: "Sign out of this browser?",
  signOutWhy:
    "To open your photos here again you need your password, and then " +
    "your 24 words, your recovery sentence or another device on which " +
    "they are open.",
  signOutWithout: "Sign out without your words?",
  signOutWithoutWhy:
    "Your 24 words are not written down, and no recovery sentence is " +
    "kept. If your photos are open on no other device, signing out here " +
    "loses them.",
  pages: {
    profile: "Profile",
    security: "Password and codes",
    devices: "Devices",
    phone: "Your phone",
    recovery: "Recovery",
    browser: "This browser",
    storage: "Storage",
    export: "Export everything",
    look: "Language and appearance",
    record: "Account status",
    about: "About",
    delete: "Delete the account",
  } as Readonly<Record<string, string>>,
  saved: "Saved",

  name: "Your name",
  nameHint: "Others see it in albums you share. You can leave it empty.",
  handle: "Your handle",
  handleHint: "With it others find you without your email address: 3 to 32 " +
    "lowercase letters, digits and _, beginning with a letter. Left empty, " +
    "nobody finds you by one.",
  handleWrong:
    "3 to 32 lowercase letters, digits and _, beginning with a letter.",
  address: "Email address",
  addressNone: "None: you sign in with your organisation.",
  since: (day: string) => `Account since ${day}`,

  password: "Password",
  passwordNone: "You sign in with your organisation: there is no password " +
    "here.",
  passwordNow: "Current password",
  passwordNew: "New password",
  passwordChange: "Change the password",
  passwordChanged: "The password is changed. Every other device was signed " +
    "out.",
  passwordWhy:
    "Changing it signs out every other device. It does not change your " +
    "key, your words or your recovery sentence.",
  factor: "Second factor",
  factorOn: "On: signing in takes a code from your authenticator app.",
  factorOff: "Off: your password alone signs in.",
  factorTurnOn: "Turn on",
  factorTurnOff: "Turn off",
  factorScan:
    "Scan this with your authenticator app, then type the code that " +
    "it shows.",
  factorHere: "The app is on this device",
  factorType: "Or type this into it:",
  factorQr: "QR code for an authenticator app",
  factorCode: "Code that it shows",
  factorIsOn: "The second factor is on.",
  factorIsOff: "The second factor is off.",
  factorWarn: "There are no backup codes. Write down the key that you gave " +
    "to the app, and keep it with your 24 words: with it any authenticator " +
    "app shows your codes again. If both are lost, only whoever runs this " +
    "server can help.",
  factorOffTitle: "Turn the second factor off?",

  devices: "Signed in",
  devicesWhy: "Where your account is signed in. Sign out what you do not " +
    "recognise.",
  otherDevices: "Not signed in",
  unconfirmed: "This device is not confirmed yet. You opened your account " +
    "with your words alone, so it has only the server's word for who the " +
    "people are that you share with. Open strongroom on another device of " +
    "yours, or compare safety numbers with the people who matter again.",
  behind: "The server does not show what your other devices know, so nobody " +
    "new is trusted here. Open strongroom on another device of yours. If all " +
    "of them are lost, you can go on with what the server shows now.",
  goOn: "Go on without them",
  otherDevicesWhy: "Devices with your key that are signed out",
  renameDevice: (name: string) => `Rename “${name}”`,
  renameDeviceTitle: "Rename this device",
  deviceName: "Name",
  deviceNameHint: "Only you see it, for example “Laptop in the kitchen”.",
  thisDevice: "This one",
  unnamed: "A browser in which your photos are not open yet",
  used: (when: string) => `Last used ${when}`,
  added: (day: string) => `Added ${day}`,
  end: "Sign out",
  endTitle: (name: string) => `Sign out “${name}”?`,
  endWhy: "It has to sign in again. What it keeps stays sealed there.",
  ended: "It is signed out.",
  add: "Add a device",
  addTitle: "Add a device",
  addHow: "On the new device open this address and sign in. Then choose " +
    "“With another device” and scan this, or type the code.",
  addQr: "QR code for the new device",
  addAddress: "Address",
  addCode: "Code",
  addUntil: (time: string) => `Works once, until ${time}.`,
  addCompare: (name: string) => `“${name}” wants to open your photos.`,
  addWorking: "The devices are talking…",
  addDone: (name: string) => `Your photos are open on “${name}” now.`,
  everywhere: "Sign out everywhere",
  everywhereTitle: "Sign out everywhere?",
  everywhereWithout: "Sign out everywhere without your words?",
  everywhereWithoutWhy:
    "You have not written down your 24 words and set no recovery sentence. " +
    "If no other device has your key, signing out loses your photos for good.",
  everywhereWhy:
    "Every device is signed out, this one too. To open your photos " +
    "again you need your password, and your 24 words, your recovery " +
    "sentence or a device that still has the key.",

  words: "24 words",
  wordsOn: "Written down. They open your photos on a new device.",
  wordsOff: "Not written down yet. Without them, losing your devices is " +
    "losing your photos.",
  wordsAnew: "Make new words",
  wordsAnewWhy:
    "Make new ones when somebody may have seen them. The old ones " +
    "then stop working.",
  phrase: "Recovery sentence",
  phraseOn: "Kept. It opens your photos on a new device.",
  phraseOff: "None.",
  phraseSet: "Set a recovery sentence",
  phraseChange: "Change the sentence",
  phraseDrop: "Remove the sentence",
  phraseKept: "The sentence is kept.",
  phraseDropped: "The sentence is removed.",

  lock: "Lock",
  lockWhy: "With a browser phrase you can lock this browser: your photos are " +
    "then closed in every tab until you type it.",
  lockOn: "A browser phrase is set.",
  lockOff: "No browser phrase: whoever can use this browser can open your " +
    "photos.",
  lockOffHttp:
    "No browser phrase: when the page is loaded again you have to sign " +
    "in anew.",
  lockSet: "Set a browser phrase",
  lockChange: "Change it",
  lockDrop: "Remove it",
  lockKept: "The browser phrase is set.",
  lockDropped: "The browser phrase is removed.",
  lasting: "Your key in this browser",
  lastingOn: "This browser has promised not to delete your key by itself.",
  lastingOff: "This browser may delete your key by itself, for example when " +
    "the disk is full. Your 24 words or another device then open your photos.",
  lastingAsk: "Ask the browser to keep it",
  lockAfter: "Lock when not used for",
  minutes: (n: number) =>
    n === 0
      ? "Never"
      : n === 1
      ? "1 minute"
      : n === 60
      ? "An hour"
      : `${n} minutes`,

  used2: (used: string) => `${used} used`,
  usedOf: (used: string, of: string) => `${used} of ${of} used`,
  usedTrash: "Of that in the trash",
  usedItems: "Photos, videos and files",
  usedReserved: "Being sent now",
  usedNone: "Your account has no limit.",
  usedName: "Storage",
  usedWhy: "Previews and the trash count too, so an export is smaller.",

  language: "Language",
  look: "Appearance",
  looks: { auto: "Match device", light: "Light", dark: "Dark" },

  standing: "Your account",
  standingActive: "All is well. Whoever runs this server has not limited it.",
  standingSuspended: (day: string) =>
    `Suspended since ${day}: you can look, download and delete, but not add ` +
    "or share.",
  recordTitle: "Measures taken",
  recordNone: "None.",
  recordWhy: "Whoever runs this server cannot see your photos, but can " +
    "suspend an account or withhold a file. What they did is listed here.",
  actions: {
    suspended: "The account was suspended",
    reinstated: "The account was reinstated",
    taken_down: "A file was taken down",
    legal_hold: "A file was put on hold: it cannot be deleted",
    hold_lifted: "The hold on a file was lifted",
  } as Readonly<Record<string, string>>,
  noReason: "No reason was given.",

  version: "Version",
  server: "Server",
  origin: "Address of your links",
  originWhy: "Links and codes that you make begin with this address. Whoever " +
    "is behind it can read what a link opens.",
  originOpened: "The address at which you opened this page",
  originConfirmed: "Confirmed by you",
  originSuggested: (origin: string) =>
    `The server says that others reach it at ${origin}. Use it only if you ` +
    "know that this is your server's address.",
  originUse: (origin: string) => `Use ${origin}`,
  originBack: (origin: string) => `Use ${origin} again`,
  fingerprint: "Your key's fingerprint",
  fingerprintWhy: "It is the same on all your devices. When another device " +
    "shows a different one, it is not your account.",
  source: "strongroom is free software. Your photos are encrypted on your " +
    "devices, and the server's receipts are checked here.",

  deleteWhy: "This is for good. Nobody can bring it back.",
  deleteGoes: [
    "All your photos, videos and files, the trash included",
    "Your albums and links, those included by which others send you files",
    "Your key's copies at the server, your devices and sessions",
  ],
  deleteStays: "What others put into your albums stays theirs.",
  deleteExport: "Download first what you want to keep.",
  deleteType: (word: string) => `Type “${word}” to go on`,
  deleteWord: "delete everything",
  deleteAct: "Delete the account",
};
