/** Before the library is open: signing up, signing in, unlocking. */
export const entry = {
  tagline: "Your photos. Only you can see them, and you can prove that none " +
    "are lost.",
  points: [
    [
      "Only you can open them",
      "Photos are encrypted on your device before they leave it. This " +
      "server cannot look at them.",
    ],
    [
      "You can see that they are safe",
      "For every photo the server signs a receipt, and this app checks it.",
    ],
    [
      "Share with anyone",
      "An album with family, or a link that ends when you say so.",
    ],
  ],
  server: (host: string) => `on ${host}`,
  language: "Language",
  signUp: "Create an account",
  signIn: "Sign in",
  byInvitation:
    "New accounts here need an invitation. The person who runs this " +
    "server can send you one.",
  byDomain:
    "New accounts here need an email address that this server allows, " +
    "or an invitation.",
  haveInvitation: "I have an invitation",
  invited: "You are invited to keep your photos here.",
  otherPerson: "Somebody is signed in here already. Sign out first to use " +
    "this invitation.",
  address: "Email address",
  password: "Password",
  invitation: "Invitation code",
  invitationHint: "From the invitation that you were sent.",
  passwordHint: "At least 12 characters. Several words are easiest. It " +
    "cannot be one of the most common passwords.",
  passwordShort: "At least 12 characters, please.",
  passwordCommon:
    "This is one of the most common passwords and would be guessed at " +
    "once. Use several words of your own.",
  addressWrong: "This is not an email address.",
  working: "One moment…",
  haveAccount: "I already have an account",
  noAccount: "I am new here",
  passkey: "Sign in with a passkey",
  passkeyCancelled: "No passkey was used. Try again, or sign in with your " +
    "password.",
  passkeyRefused: "This passkey does not sign in here. It may have been " +
    "removed, or belong to another account.",
  provider: "Sign in with your organisation",
  providerFailed: "The sign-in was cancelled or failed. Try again.",
  endedTitle: "You were signed out",
  ended: "This browser was signed out from another device, or its session " +
    "expired. Sign in, and your photos open by themselves.",
  forget: "Forget me in this browser",
  forgotten:
    "This connection is not encrypted, so this browser forgot your key " +
    "when the page was reloaded. Nothing is lost: sign in, and open " +
    "your photos as you did before. With a browser phrase you stay " +
    "signed in.",
  lostPassword: "Forgot your password?",
  lostPasswordHow:
    "Ask the person who runs this server for a link to set a new one. Your " +
    "photos still open with your 24 words, your recovery sentence or another " +
    "of your devices.",
  newPassword: "New password",
  newPasswordAgain: "New password again",
  passwordsDiffer: "The two passwords differ.",
  resetTitle: "Set a new password",
  resetWhy: "This link lets you replace a forgotten password, once.",
  resetPhotos: "Your key and your photos stay the same. A new device still " +
    "needs your 24 words, your recovery sentence or another device.",
  resetSet: "Set the password",
  resetRefused: "This link does not work: it was used, it has expired, or a " +
    "newer one replaced it. Ask for a new link.",
  resetDone: "Your new password is set",
  resetDoneWhy:
    "You are signed out everywhere. Sign in with the new password. " +
    "Your photos then open as before.",
  wasReset: (day: string) =>
    `On ${day} your password was reset with a link from the person who runs ` +
    "this server. If that was not you, change it now and ask them.",
  wasResetAct: "Change password",
  wasResetNoted: "Do not show this again",
  codeTitle: "One more step",
  code: "Code from your authenticator app",
  codeWrong: "Wrong code. Try the next one that the app shows.",
  passwordAgain: "Confirm that it is you",
  step: (at: number, of: number) => `Step ${at} of ${of}`,

  wordsTitle: "Write down these 24 words",
  wordsWhy:
    "They open your photos on a new device, even if you lose all your " +
    "others. Nobody else has them, not even the person who runs this " +
    "server.",
  wordsList: "Your 24 words",
  wordsDone: "I have written them down",
  wordsLater: "Remind me later",
  wordsLaterTitle: "Skip writing them down?",
  wordsLaterWhy:
    "Until you write them down, your photos open only in this browser. " +
    "If you lose it, you lose them. You will be reminded.",
  wordsFile: "recovery words.txt",
  wordsFileText: (host: string, address: string, words: string) =>
    `Recovery words for ${address} on ${host}\n\n${words}\n\nAnyone ` +
    "who has these words can open the photos. Keep them where only you " +
    "find them.\n",
  wordsKept: "Your words are set. Earlier words no longer work.",
  wordsKeeping: "Setting your words",
  copy: "Copy",
  print: "Print",
  download: "Save as a file",
  checkTitle: "Type three of your words",
  checkWhy: "This makes sure that you wrote them down correctly.",
  wordsSaved: "The file is saved. Keep it where only you find it.",
  word: (place: number) => `Word ${place}`,
  wordsAgain: "Show the words again",

  signedUpAs: (address: string) =>
    address === "" ? "" : `You are signing up as ${address}.`,
  startOver: "Not you? Start over",

  phraseTitle: "Add a recovery sentence? (optional)",
  phraseWhy: "Like the 24 words, it opens your photos on a new device. Most " +
    "people go without one.",
  phraseLater: "You can add one later in the settings.",
  phrase: "Recovery sentence",
  phraseHint: "At least 12 characters, and not your password.",
  strength: ["Easy to guess", "Fair", "Strong"],
  strengthName: "How hard it is to guess",
  withoutPhrase: "Skip",
  withPhrase: "Set this sentence",

  browserTitle: "Stay signed in on this browser?",
  browserWhy:
    "This connection is not encrypted, so the browser cannot keep your " +
    "key. After each reload you sign in again and type your words. " +
    "With a browser phrase you stay signed in.",
  browserNeeded:
    "You have not written down your words yet, so this browser has to " +
    "keep your key. Choose a browser phrase to protect it.",
  unlockPhrase: "Browser phrase",
  unlockPhraseHint: "At least 12 characters, and not your password.",
  withUnlockPhrase: "Stay signed in",
  withoutUnlockPhrase: "Sign in again each time",
  finish: "Go to your photos",
  making: "Creating your keys…",

  remindText:
    "You have not written down your 24 words yet. Without them, if you " +
    "lose this browser, you lose your photos.",
  mayForget: "This browser may also delete your key when disk space runs low.",
  suspendedText:
    "The person who runs this server has suspended your account. You " +
    "can view, download and delete, but not add or share.",
  suspendedAct: "See what happened",
  remindAct: "Write them down",
  escrow: {
    given_back:
      "The server was restored from a backup and had lost your newest " +
      "recovery words. This browser gave them back, so they work again.",
    due: "The server was restored from a backup and has lost your newest " +
      "recovery words. Until you make new ones, only older words work, " +
      "or none.",
    unknown: "The server was restored from a backup, and this browser cannot " +
      "tell whether your recovery words still work. To be sure, make new " +
      "ones.",
  },
  escrowAct: "Make new words",

  overtaken: "Another device set up this account at the same moment. If you " +
    "were shown words here, cross them out: they open nothing. Use the " +
    "words from the other device.",
  unlockTitle: "Open your photos on this device",
  unlockWhy:
    "You are signed in. Your photos are encrypted with a key that this " +
    "device does not have yet. Choose how to get it.",
  byDevice: "With another device",
  byDeviceWhy: "A phone or computer where your photos are open.",
  byWords: "With your 24 words",
  byWordsWhy: "The words you wrote down when you signed up.",
  byPhrase: "With your recovery sentence",
  byPhraseWhy: "The sentence you made up. A browser phrase does not work here.",
  nothingKept:
    "This account has no recovery words and no recovery sentence. Open " +
    "it with another device.",
  deviceHow: "On the other device, open Settings, then Devices, then “Add a " +
    "device”. Then scan the code that it shows, or type it.",
  scan: "Scan with the camera",
  scanStop: "Stop the camera",
  scanWait: "Point the camera at the code on the other device.",
  scanFailed: "The camera cannot be used. Type the code instead.",
  scanOther: "This code is for something else.",
  typedCode: "Code on the other device",
  typedCodeHint: "Ten letters and digits, like K7Q2M-4XW9P.",
  connect: "Connect",
  connecting: "Connecting to the other device…",
  sameTitle: "Do both devices show the same words?",
  sameWhy: "If they differ, stop: somebody may be listening between your " +
    "devices.",
  sameForeign: (origin: string) =>
    `The code is for another address: ${origin}. Continue only if you ` +
    "know that this is your server and the words are the same.",
  same: "They are the same",
  notSame: "They differ",
  joinFirst: "Sign in first. Then your photos open by themselves, with the " +
    "device that showed you the code.",
  joinHere: "Your photos are already open on this device.",
  wordsField: "Your 24 words",
  wordsHint: "In order, with spaces between them.",
  wordsCount: (count: number) => `${count} of 24 words`,
  unlock: "Open",
  sealedTitle: "Locked",
  sealedWhy: "Your browser phrase opens your photos here. It is not your " +
    "password, and not your recovery sentence.",
  sealedWrong: "Wrong browser phrase.",
  sealedForget: "I forgot it",
  sealedForgetTitle: "Forget this browser's key?",
  sealedForgetWhy:
    "You then sign in with your password and open your photos with " +
    "another device, your 24 words or your recovery sentence. Without " +
    "one of them, your photos stay locked.",
  sealedForgetAct: "Forget and sign in",

  publicTitle: "This connection is not safe",
  publicWhy:
    "This address is on the public internet, and the connection is not " +
    "encrypted. Anybody along the way could read your password and " +
    "change this app, so you cannot sign in here.",
  publicTry: "Try the encrypted address",
  otherBuildTitle: "A newer version is running",
  otherBuild: "It was started in another tab. Reload this page to continue.",
  reload: "Reload",
  /** What a browser is called among the devices. */
  browsers: {
    unknown: "Browser",
    android: (browser: string) => `${browser} on Android`,
    iphone: (browser: string) => `${browser} on iPhone`,
    ipad: (browser: string) => `${browser} on iPad`,
    mac: (browser: string) => `${browser} on Mac`,
    windows: (browser: string) => `${browser} on Windows`,
    linux: (browser: string) => `${browser} on Linux`,
  },
};
