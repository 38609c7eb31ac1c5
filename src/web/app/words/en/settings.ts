/** The account, and this browser. */
export const settings = {
  title: "Settings",
  lockFirst: "Choose a browser phrase first",
  lockFirstWhy:
    "It opens your photos in this browser again. Without one, anyone " +
    "who can use this browser could open them too.",
  signOutTitle: "Sign out of this browser?",
  signOutWhy:
    "To open your photos here again, you need your password. You also " +
    "need your 24 words, your recovery sentence or another device " +
    "where they are open.",
  signOutWithout: "Sign out without your words?",
  signOutWithoutWhy:
    "You have not written down your 24 words, and you have no recovery " +
    "sentence. If your photos are open on no other device, you lose " +
    "them when you sign out here.",
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
    operator: "Run the server",
    delete: "Delete account",
  } as Readonly<Record<string, string>>,
  saved: "Saved",

  name: "Your name",
  nameHint: "Others see it in albums you share. You can leave it empty.",
  handle: "Your handle",
  handleHint:
    "Others can find you by it without your email address. Use 3 to 32 " +
    "lowercase letters, digits and _, beginning with a letter. If you " +
    "leave it empty, nobody can find you by a handle.",
  handleWrong:
    "Use 3 to 32 lowercase letters, digits and _, beginning with a " +
    "letter.",
  address: "Email address",
  addressNone: "None: you sign in with your organisation.",
  since: (day: string) => `Account since ${day}`,

  password: "Password",
  passwordNone:
    "You sign in with your organisation, so you have no password here.",
  passwordNow: "Current password",
  passwordNew: "New password",
  passwordChange: "Change password",
  passwordChanged:
    "Your password is changed. Every other device was signed out.",
  passwordWhy:
    "Changing it signs out every other device. It does not change your " +
    "key, your words or your recovery sentence.",
  factor: "Second factor",
  factorOn: "On: to sign in you need a code from your authenticator app.",
  factorOff: "Off: to sign in you need only your password.",
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
  factorWarn:
    "There are no backup codes. Write down the key that you give to " +
    "the app, and keep it with your 24 words. With it, any " +
    "authenticator app shows your codes again. If you lose both, only " +
    "the person who runs this server can help.",
  factorOffTitle: "Turn the second factor off?",

  passkeys: "Passkeys",
  passkeysWhy: "A passkey signs you in with your fingerprint, your face or " +
    "the PIN of your device, without a password and a code.",
  passkeysNone: "You have no passkeys yet.",
  passkeysNotHere: "Passkeys need an address with a name and https, and this " +
    "one is not such an address.",
  passkeyAdd: "Add a passkey",
  passkeyAdded: "The passkey is added.",
  passkeyAddedOpens: "The passkey is added. It opens your photos too.",
  passkeyOnce: "Confirm once more, so that the passkey opens your photos too.",
  passkeyFailed: "No passkey was made.",
  passkeyKnown: "This device has a passkey for you already.",
  passkeyOpens: "Signs in and opens your photos",
  passkeySigns: "Signs in; a new device still needs your words or another " +
    "device to open your photos",
  passkeyRename: (name: string) => `Rename “${name}”`,
  passkeyRenameTitle: "Rename this passkey",
  passkeyRemove: (name: string) => `Remove “${name}”`,
  passkeyRemoveTitle: (name: string) => `Remove “${name}”?`,
  passkeyRemoveWhy: "It does not sign you in any more. Delete it from its " +
    "device as well.",
  passkeyRemoved: "The passkey is removed.",

  devices: "Signed in",
  devicesWhy: "Where your account is signed in. Sign out what you do not " +
    "recognise.",
  otherDevices: "Not signed in",
  unconfirmed:
    "This device is not confirmed yet. You opened your account with " +
    "your words alone, so this device has to believe the server about " +
    "who the people are that you share with. Open strongroom on " +
    "another of your devices, or compare safety numbers again with the " +
    "people who matter.",
  behind: "The server does not show what your other devices know, so this " +
    "device trusts nobody new. Open strongroom on another of your " +
    "devices. If you have lost all of them, you can continue with what " +
    "the server shows now.",
  goOn: "Continue without them",
  otherDevicesWhy: "Devices with your key that are signed out",
  renameDevice: (name: string) => `Rename “${name}”`,
  renameDeviceTitle: "Rename this device",
  deviceName: "Name",
  deviceNameHint: "Only you see it, for example “Laptop in the kitchen”.",
  thisDevice: "This one",
  unnamed: "A browser where your photos are not open yet",
  used: (when: string) => `Last used ${when}`,
  added: (day: string) => `Added ${day}`,
  end: "Sign out",
  endTitle: (name: string) => `Sign out “${name}”?`,
  endWhy: "It has to sign in again. Its stored data stays encrypted.",
  ended: "The device is signed out.",
  add: "Add a device",
  addTitle: "Add a device",
  addHow: "On the new device, open this address and sign in. Choose “With " +
    "another device”, then scan this code or type it.",
  addQr: "QR code for the new device",
  addAddress: "Address",
  addCode: "Code",
  addUntil: (time: string) => `Works once, until ${time}.`,
  addCompare: (name: string) => `“${name}” wants to open your photos.`,
  addWorking: "Connecting the devices…",
  addDone: (name: string) => `Your photos are now open on “${name}”.`,
  everywhere: "Sign out everywhere",
  everywhereTitle: "Sign out everywhere?",
  everywhereWithout: "Sign out everywhere without your words?",
  everywhereWithoutWhy:
    "You have not written down your 24 words, and you have no recovery " +
    "sentence. If no other device has your key, you lose your photos " +
    "when you sign out.",
  everywhereWhy:
    "This signs out every device, including this one. This browser also " +
    "forgets your key: to open your photos here, you need your password, and " +
    "your 24 words, your recovery sentence or another device. The other " +
    "devices keep it: there, the password is enough. If one was stolen, " +
    "change your password too.",

  words: "24 words",
  wordsOn: "Written down. They open your photos on a new device.",
  wordsOff:
    "Not written down yet. Without them, if you lose your devices, you " +
    "lose your photos.",
  wordsAnew: "Make new words",
  wordsAnewWhy:
    "Make new words if somebody may have seen yours. The old ones then " +
    "stop working.",
  phrase: "Recovery sentence",
  phraseOn: "Set. It opens your photos on a new device.",
  phraseOff: "None.",
  phraseSet: "Set a recovery sentence",
  phraseChange: "Change the sentence",
  phraseDrop: "Remove the sentence",
  phraseKept: "The recovery sentence is set.",
  phraseDropped: "The recovery sentence is removed.",

  lock: "Lock",
  lockWhy:
    "With a browser phrase you can lock this browser. Your photos then " +
    "stay closed in every tab until you type it.",
  lockOn: "A browser phrase is set.",
  lockOff: "No browser phrase: anyone who can use this browser can open your " +
    "photos.",
  lockOffHttp: "No browser phrase: after a reload you have to sign in again.",
  lockSet: "Set a browser phrase",
  lockChange: "Change it",
  lockDrop: "Remove it",
  lockKept: "The browser phrase is set.",
  lockDropped: "The browser phrase is removed.",
  lasting: "Your key in this browser",
  lastingOn: "This browser has promised not to delete your key by itself.",
  lastingOff:
    "This browser may delete your key by itself, for example when the " +
    "disk is full. You then need your 24 words or another device to " +
    "open your photos.",
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
  usedTrash: "Of this, in the trash",
  usedItems: "Photos, videos and files",
  usedReserved: "Uploading now",
  usedNone: "Your account has no limit.",
  usedName: "Storage",
  usedWhy: "Previews and the trash count too, so an export is smaller.",

  language: "Language",
  look: "Appearance",
  looks: { auto: "Match device", light: "Light", dark: "Dark" },

  standing: "Your account",
  standingActive:
    "All is well. The person who runs this server has not restricted " +
    "it.",
  standingSuspended: (day: string) =>
    `Suspended since ${day}. You can view, download and delete, but ` +
    "not add or share.",
  recordTitle: "Actions taken",
  recordNone: "None.",
  recordWhy:
    "The person who runs this server cannot see your photos, but can " +
    "suspend an account or withhold a file. Their actions are listed " +
    "here.",
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
  originWhy:
    "Links and codes that you make begin with this address. Anyone who " +
    "controls it can read what a link opens.",
  originOpened: "The address where you opened this page",
  originConfirmed: "Confirmed by you",
  originSuggested: (origin: string) =>
    `The server says that others reach it at ${origin}. Use this ` +
    "address only if you know that it is your server's.",
  originUse: (origin: string) => `Use ${origin}`,
  originBack: (origin: string) => `Use ${origin} again`,
  fingerprint: "Your key's fingerprint",
  fingerprintWhy: "It is the same on all your devices. When another device " +
    "shows a different one, it is not your account.",
  source: "strongroom is free software. Your photos are encrypted on your " +
    "devices, and the server's receipts are checked here.",

  deleteWhy: "This is permanent. Nobody can undo it.",
  deleteGoes: [
    "All your photos, videos and files, including the trash",
    "Your albums and links, including the links that others send you " +
    "files through",
    "The server's copies of your key, your devices and your sessions",
  ],
  deleteStays: "Photos that others added to your albums stay theirs.",
  deleteExport: "First download what you want to keep.",
  deleteType: (word: string) => `Type “${word}” to continue`,
  deleteWord: "delete everything",
  deleteAct: "Delete account",
};
