/** How passwords, words, sentences and phrases differ. */
export const secrets = {
  /** What each is for, and what it is not, where it is made or asked for. */
  passwordIs: "Your account's password, which signs you in. Not your words, " +
    "your sentence or a browser phrase.",
  passwordFor:
    "You sign in with it. In the next step you also get 24 words, for " +
    "new devices.",
  passwordAsked:
    "This confirms that it is you, and that what you choose differs " +
    "from your password.",
  wordsFor: "They are not your password: you still need it to sign in.",
  wordsAre: "From your sheet with the 24 words. Not your password.",
  sentenceFor: "It is not your password, and a locked browser does not ask " +
    "for it.",
  sentenceIs:
    "The sentence that you made up for new devices. Capital letters " +
    "and the full stop do not matter. Not your password, and not a browser " +
    "phrase.",
  browserFor: "It opens your photos in this browser only. It is not your " +
    "password, and not your recovery sentence.",
  which: "What opens what?",

  /** The words or the sentence do not fit. */
  unknown: (words: readonly (readonly [number, string])[]) =>
    `Not in the word list: ${
      words.map(([place, word]) => `word ${place} (“${word}”)`).join(", ")
    }.`,
  mistyped: "One of the words is mistyped, or two are swapped.",
  tooFew: (count: number) =>
    count > 24
      ? `You typed ${count} words: that is too many.`
      : count === 1
      ? "You typed 1 word: 23 are missing."
      : count === 23
      ? "You typed 23 words: 1 is missing."
      : `You typed ${count} words: ${24 - count} are missing.`,
  sentenceWrong: "Wrong recovery sentence.",
  notThisWord: (place: number) => `This is not word ${place}. Look again.`,

  takenSignIn: "Sign in with this address",

  /** The overview in the settings. */
  title: "What opens what",
  why: "Each one has its own job. Only the words and the sentence do the " +
    "same job.",
  lost: "Lost?",
  change: "Change",
  password: "Password",
  passwordOpens:
    "Signs you in. On its own, it opens no photos on a new device.",
  passwordLost: "The person who runs this server gives you a link to set a " +
    "new one. Your photos stay.",
  words: "24 words",
  wordsOpen: "Open your photos on a new device, once you are signed in.",
  wordsLost: "Make new ones while your photos are open somewhere.",
  sentence: "Recovery sentence",
  sentenceOpens: "Does the same as the 24 words, but you make it up. Optional.",
  sentenceLost: "Change it while your photos are open somewhere.",
  browser: "Browser phrase",
  browserOpens:
    "Opens your photos again in the browser where you set it, and " +
    "nowhere else.",
  browserLost: "Let that browser forget its key, sign in, and open your " +
    "photos as on a new device.",
  all: "If you lose the words, the sentence and every device, nobody can " +
    "open your photos again.",
};
