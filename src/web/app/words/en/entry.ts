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
  byInvitation: "New accounts here are by invitation. Whoever runs this " +
    "server can send you one.",
  byDomain: "New accounts here are for certain email addresses, or by " +
    "invitation.",
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
  passwordCommon: "This is one of the most common passwords: it would be " +
    "guessed at once. Take several words of your own.",
  addressWrong: "This is not an email address.",
  working: "One moment…",
  haveAccount: "I have an account already",
  noAccount: "I am new here",
  provider: "Sign in with your organisation",
  providerFailed: "The sign-in there was cancelled or came to nothing. Try " +
    "again.",
  endedTitle: "You were signed out",
  ended: "This browser was signed out from another device, or its session " +
    "expired. Sign in to go on: your photos then open by themselves.",
  forget: "Forget me in this browser",
  forgotten:
    "This connection is not encrypted, so this browser forgot your key " +
    "when the page was loaded again. Nothing is lost: sign in, and open " +
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
  wasResetAct: "Change the password",
  wasResetNoted: "Do not show this again",
  codeTitle: "One more step",
  code: "Code from your authenticator app",
  codeWrong: "That code was not right. Try the next one it shows.",
  passwordAgain: "Confirm that it is you",
  step: (at: number, of: number) => `Step ${at} of ${of}`,

  wordsTitle: "Write down these 24 words",
  wordsWhy: "They open your photos on a new device, even if you lose all " +
    "your others. Nobody else has them: not even whoever runs this server.",
  wordsList: "Your 24 words",
  wordsDone: "I have written them down",
  wordsLater: "Remind me later",
  wordsLaterTitle: "Skip writing them down?",
  wordsLaterWhy: "Until you write them down, your photos open in this " +
    "browser alone. If it is lost, they are lost. You will be reminded.",
  wordsFile: "recovery words.txt",
  wordsFileText: (host: string, address: string, words: string) =>
    `Recovery words for ${address} on ${host}\n\n${words}\n\n` +
    "Whoever has these words can open the photos. Keep them where only you " +
    "look.\n",
  wordsKept: "Your words are kept. The ones before open nothing any more.",
  wordsKeeping: "Keeping your words",
  copy: "Copy",
  print: "Print",
  download: "Save as a file",
  checkTitle: "Type three of your words",
  checkWhy: "To be sure that what you wrote down is right.",
  wordsSaved: "The file is saved. Keep it where only you look.",
  word: (place: number) => `Word ${place}`,
  wordsAgain: "Show the words again",

  signedUpAs: (address: string) =>
    address === "" ? "" : `You are signing up as ${address}.`,
  startOver: "Not you? Start over",

  phraseTitle: "A recovery sentence as well? (optional)",
  phraseWhy: "It opens your photos on a new device, as the 24 words do. Most " +
    "people leave it out.",
  phraseLater: "You can add one later in the settings.",
  phrase: "Recovery sentence",
  phraseHint: "At least 12 characters, and not your password.",
  strength: ["Easy to guess", "Fair", "Strong"],
  strengthName: "How hard it is to guess",
  withoutPhrase: "Skip",
  withPhrase: "Keep this sentence",

  browserTitle: "Stay signed in on this browser?",
  browserWhy:
    "This connection is not encrypted, so the browser cannot keep your " +
    "key by itself: after a reload you sign in anew and give your " +
    "words. With a browser phrase it can.",
  browserNeeded:
    "You have put the words off, so this browser has to keep your key. " +
    "Choose a browser phrase for it.",
  unlockPhrase: "Browser phrase",
  unlockPhraseHint: "At least 12 characters, and not your password.",
  withUnlockPhrase: "Stay signed in",
  withoutUnlockPhrase: "Sign in anew each time",
  finish: "Go to your photos",
  making: "Your keys are being made…",

  remindText: "Your 24 words are not written down yet. Without them, losing " +
    "this browser is losing your photos.",
  mayForget: "This browser may also delete its key by itself when space runs " +
    "low.",
  suspendedText: "Whoever runs this server has suspended your account: you " +
    "can look, download and delete, but not add or share.",
  suspendedAct: "What was done",
  remindAct: "Write them down",
  escrow: {
    given_back: "The server was restored from a backup and had lost your " +
      "newest recovery words. This browser gave them back: they count.",
    due: "The server was restored from a backup and has lost your newest " +
      "recovery words. Until you make new ones, older ones count, or none.",
    unknown: "The server was restored from a backup, and this browser cannot " +
      "tell whether your recovery words still count. To be sure, make new ones.",
  },
  escrowAct: "Make new words",

  overtaken:
    "Another device set this account up at the same moment. Any words that you were shown here open nothing: cross them out. Those of the other device count.",
  unlockTitle: "Open your photos on this device",
  unlockWhy: "You are signed in. Your photos are encrypted with a key that " +
    "this device does not have yet. Choose how it gets it.",
  byDevice: "With another device",
  byDeviceWhy: "A phone or computer on which your photos are open.",
  byWords: "With your 24 words",
  byWordsWhy: "The ones that you wrote down when you signed up.",
  byPhrase: "With your recovery sentence",
  byPhraseWhy: "The one that you made up. A browser phrase does not help here.",
  nothingKept:
    "No words and no recovery sentence are kept for this account. Open " +
    "it with another device.",
  deviceHow: "On the other device open Settings, then Devices, then " +
    "“Add a device”. Then scan what it shows, or type the code.",
  scan: "Scan with the camera",
  scanStop: "Stop the camera",
  scanWait: "Point the camera at the square on the other device.",
  scanFailed: "The camera cannot be used. Type the code in its place.",
  scanOther: "That is a code of something else.",
  typedCode: "Code on the other device",
  typedCodeHint: "Ten letters and digits, like K7Q2M-4XW9P.",
  connect: "Connect",
  connecting: "Connecting to the other device…",
  sameTitle: "Are these the same words on both devices?",
  sameWhy: "If they differ, do not go on: somebody may be listening between " +
    "your devices.",
  sameForeign: (origin: string) =>
    `The code is of another address: ${origin}. Go on only if you know that ` +
    "this is your server, and the words are the same.",
  same: "They are the same",
  notSame: "They differ",
  joinFirst: "Sign in first. Then your photos open by themselves, with the " +
    "device that showed you the code.",
  joinHere: "Your photos are open on this device already.",
  wordsField: "Your 24 words",
  wordsHint: "In their order, with spaces between them.",
  wordsCount: (count: number) => `${count} of 24 words`,
  unlock: "Open",
  sealedTitle: "Locked",
  sealedWhy: "Your browser phrase opens your photos here. It is not your " +
    "password, and not your recovery sentence.",
  sealedWrong: "That is not the browser phrase.",
  sealedForget: "I do not know it",
  sealedForgetTitle: "Forget this browser's key?",
  sealedForgetWhy:
    "You then sign in with your password, and open your photos with " +
    "another device, your 24 words or your recovery sentence. Without " +
    "one of them your photos stay shut.",
  sealedForgetAct: "Forget and sign in",

  publicTitle: "Not over this connection",
  publicWhy: "This address is on the public internet, and the connection is " +
    "not encrypted. Anybody on the way could read your password and change " +
    "this program, so signing in is refused here.",
  publicTry: "Try the encrypted address",
  otherBuildTitle: "A newer version is running",
  otherBuild: "It was started in another tab. Load this page again to go on.",
  reload: "Load again",
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
