import { called } from "./nouns.ts";
import type { Noun } from "../../../workers/photo_lists.ts";

function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

function wrongOnes(wrong: number): string {
  return wrong === 0
    ? "No problems found."
    : `${count(wrong, "has", "have")} a problem.`;
}

/** What is proven of what the server keeps. */
export const kept = {
  title: "Safety",
  allWell: (n: number, noun: Noun) =>
    n === 1
      ? `Your ${called(noun)} is safe, with proof`
      : `All ${n.toLocaleString("en")} ${called(noun)}s are safe, with proof`,
  none: "Nothing is stored yet",
  noneHint: "Add photos, and see here that they are safe.",
  unproven: (n: number, noun: Noun) =>
    `${
      count(n, `${called(noun)} is`, `${called(noun)}s are`)
    } not checked on this device yet`,
  unprovenHint:
    "They were added with another browser or device, or adding them " +
    "was interrupted. The server has their receipts, and this device " +
    "has not checked them yet.",
  trustDamage: {
    unreadable:
      "The server's copy of what your devices know about people and " +
      "albums is damaged. This device continues with its own copy.",
    stored_again:
      "The server's copy of what your devices know about people and " +
      "albums was damaged. This device has stored its own copy again.",
  },
  checkNow: "Check them now",
  lead: "The server signed a receipt for each of them, and this device " +
    "checked the signatures. Every day it asks the server about some of " +
    "them. If one is ever lost or changed, you are told here.",
  noBackup:
    "A receipt is not a backup. The person who runs this server makes " +
    "backups. To have a copy of your own:",
  numbers: "What is checked, in numbers",
  counted: "All your photos count, each once. Those in the trash do not.",
  notYet: "Not yet",
  all: (total: string) => `All ${total}`,
  proven: "Receipts checked",
  provenHint: "The server's signatures are valid",
  confirmed: "Confirmed again",
  confirmedHint: "The server says that it still has them",
  readBack: "Compared",
  readBackHint: "Every byte is as you added it",
  of: (n: string, total: string) => `${n} of ${total}`,
  checks: "Check again",
  checksHint: "Optional, for extra certainty.",
  checkNames: {
    confirm: "Ask the server",
    deep: "Let the server compare",
    receipts: "Check every receipt",
    download: "Compare everything here",
  },
  checkHints: {
    confirm: "Does it still have every photo? Takes seconds.",
    deep: "The server reads every photo from its disk and compares it. It " +
      "does a limited amount each hour.",
    receipts: "This device checks every receipt that the server ever gave " +
      "you. A photo has several.",
    download:
      "This device downloads and compares every photo, so you need not " +
      "trust the server. Takes as long as downloading your whole library.",
  },
  last: (when: string) => `Last: ${when}`,
  knownOf: (n: string, of: string) => `Already done for ${n} of ${of}`,
  never: "Not done in this browser yet",
  run: "Start",
  stop: "Stop",
  running: (done: string, of: string) => `${done} of ${of}`,
  outcome: (n: number, wrong: number) =>
    `${count(n, "photo")} checked. ${wrongOnes(wrong)}`,
  outcomeOfReceipts: (n: number, wrong: number) =>
    `${count(n, "receipt")} checked. ${wrongOnes(wrong)}`,
  left: (n: number) =>
    `${count(n, "photo is", "photos are")} left for the next hour. The ` +
    "server limits how many it checks at once.",
  /** Of photos that the server lost or damaged, on every page. */
  lost: (n: number) =>
    `The server has lost or damaged ${
      n === 1 ? "one" : n.toLocaleString("en")
    } of your photos`,
  alarm: (n: number) => `${count(n, "photo has", "photos have")} a problem`,
  whatNow: "What to do",
  alarms: "These photos",
  noName: "A photo with an unknown name",
  whats: {
    missing: "The server no longer has it",
    damaged: "The server's copy is damaged",
    withheld: "Taken down by the person who runs this server",
    forged:
      "It cannot be opened: it was changed, or encrypted with another key",
  },
  lostHint: "If you still have the files, on a phone, a computer or a memory " +
    "card, add them again. The photos come back with their captions, " +
    "favourites and albums.",
  lostReportHint:
    "Tell the person who runs this server: a backup may have them. The " +
    "report lists them, with the server's own receipts.",
  alarmHint: "Tell the person who runs this server.",
  addAgain: "Add the files again",
  lostReport: "Save the report",
  /** Photos that are not where they were, where they belong. */
  gone: {
    title: "No longer here",
    missing: "The server has lost it. Add the file again to bring it back.",
    removed: "The owner of the album deleted it. Your library still has it.",
    removedLast: "The owner of the album deleted it, and your library does " +
      "not have it. Add the file again to keep it.",
    more: (n: number) => `and ${count(n, "more")}`,
    giveUp: "Remove from this list",
    giveUpTitle: (name: string) => `Stop looking for “${name}”?`,
    giveUpText:
      "The server does not have it. This removes it from the list on all " +
      "your devices. You can still add the file again.",
  },
  /** The public logs, their witnesses, and changes of the person's keys. */
  logs: {
    title: "Who else watches this server",
    alarm: "This server has said different things, or something in your name " +
      "that you did not do",
    hint:
      "A server could tell you something else than it tells others. So it " +
      "signs public lists of all receipts and keys. Witnesses on other " +
      "servers sign that they see the same lists as you.",
    loading: "Looking…",
    off: "This server has no public lists.",
    none: "Nobody witnesses these lists for you yet. Without a witness, your " +
      "devices compare what they see with each other alone.",
    witnessed: (when: string, names: string, n: number, of: number) =>
      `Witnessed ${when} by ${names} (${n} of ${of})`,
    notEnough: (names: string, need: number) =>
      `${names === "" ? "No witness has" : `Only ${names} has`} signed the ` +
      `newest list; ${need === 1 ? "one has" : `${need} have`} to.`,
    changes: (n: number) =>
      n === 0
        ? "Your keys have not changed"
        : `Your keys: ${count(n, "change")}, ${
          n === 1 ? "made by you" : "all made by you"
        }`,
    foreign: (n: number) =>
      `Your keys: ${count(n, "change was", "changes were")} NOT made by you`,
    foreignHint:
      "Somebody published a list of devices in your name. Sign out " +
      "every device that you do not know, and compare safety numbers again " +
      "with the people you share with.",
    toDevices: "Your devices",
    unknownDevice: "a device of yours",
    notYours: "not made by you",
    receipts: (n: number) =>
      `${count(n, "receipt")} of yours looked up, and found in the list`,
    app: (n: number) =>
      `The app in this browser is the one in the list (${
        count(n, "file")
      } compared).`,
    restarted: "The server was restored from a backup, and its lists say so.",
    found: "What was found",
    evidence: "Save the evidence",
    evidenceHint: "The file proves to anybody, without this server, that it " +
      "signed two different lists.",
    known: "I know of this",
    believe: "Believe a witness",
    believeLabel: "The witness's key",
    believeHint:
      "A friend who runs another server sends it to you: it stands " +
      "in their Safety, as text and as a QR code.",
    doubt: (name: string) => `No longer believe ${name}`,
    offer: "Become witnesses for each other",
    offerHint: "Show this to a friend with a server of their own, who scans " +
      "it and adds it to their witnesses. Add theirs here. Whoever runs the " +
      "two servers has to connect them once: the page on witnesses of the " +
      "manual says how.",
    offerNone: "This server is no witness for others. Whoever runs it can " +
      "turn that on.",
    scanFailed: "The camera cannot be used. Paste the key instead.",
    qr: "This server's key as a witness",
    limits: "This does not prove that the photos are still there, nor that " +
      "they show what they seem to.",
  },
  report: "Save a report on all photos",
  reportHint:
    "A file that says what is proven for each photo. With the receipts " +
    "in it, it convinces others too.",
  withReceipts: "with every receipt",
  badges: {
    unverified: "Not checked on this device yet",
    receipted: "The server signed for it",
    confirmed: "The server has it",
    read_back: "Compared, and unchanged",
    missing: "The server has lost it",
    damaged: "The server's copy was changed",
  },
  receiptsOf: "Receipts",
  receipt: (seq: number, when: string) =>
    `No. ${seq.toLocaleString("en")}, ${when}`,
};
