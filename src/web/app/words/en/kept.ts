import type { Noun } from "../../../work/photo_lists.ts";

function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

function wrongOnes(wrong: number): string {
  return wrong === 0
    ? "Nothing is wrong."
    : `${count(wrong, "is", "are")} not as it should be.`;
}

/** What is proven of what the server keeps. */
export const kept = {
  title: "Safety",
  allWell: (n: number, noun: Noun) =>
    n === 1
      ? `Your ${noun} is provably kept`
      : `All ${n.toLocaleString("en")} ${noun}s are provably kept`,
  none: "Nothing is kept yet",
  noneHint: "Add photos, and see here that they are safe.",
  unproven: (n: number, noun: Noun) =>
    `${count(n, `${noun} is`, `${noun}s are`)} still to be checked here`,
  unprovenHint: "They were added with another browser or device, or adding " +
    "them was interrupted. The server has their receipts; this device has " +
    "yet to check them.",
  checkNow: "Check them now",
  lead: "The server signed a receipt for each of them, and this device " +
    "checked the signatures. Every day it asks the server about some of " +
    "them. If one is ever lost or changed, you are told here.",
  noBackup: "A receipt is not a second copy. Whoever runs this server makes " +
    "its backups. A copy of your own:",
  proven: "Receipts checked",
  provenHint: "The server's signatures are right",
  confirmed: "Asked about again",
  confirmedHint: "The server says that it still has them",
  readBack: "Compared",
  readBackHint: "Every byte is as you added it",
  of: (n: string, total: string) => `${n} of ${total}`,
  checks: "Check again",
  checksHint: "You need not: this is for when you want to be sure.",
  checkNames: {
    confirm: "Ask the server",
    deep: "Let the server compare",
    receipts: "Check every receipt",
    download: "Compare everything here",
  },
  checkHints: {
    confirm: "Does it still have every photo? Takes seconds.",
    deep: "The server reads every photo from its disk and compares it, a " +
      "limited amount an hour.",
    receipts: "All receipts that the server ever gave you are looked at.",
    download: "Every photo is fetched and compared on this device: the " +
      "server is not taken at its word. Takes as long as downloading your " +
      "whole library.",
  },
  last: (when: string) => `Last: ${when}`,
  never: "Not done in this browser yet",
  run: "Start",
  stop: "Stop",
  running: (done: string, of: string) => `${done} of ${of}`,
  outcome: (n: number, wrong: number) =>
    `${count(n, "photo")} checked. ${wrongOnes(wrong)}`,
  outcomeOfReceipts: (n: number, wrong: number) =>
    `${count(n, "receipt")} checked. ${wrongOnes(wrong)}`,
  left: (n: number) =>
    `${count(n, "photo is", "photos are")} left for the next hour: the ` +
    "server does no more at once.",
  alarms: "Not as it should be",
  whats: {
    missing: "The server does not have it any more",
    damaged: "The server has something else in its place",
    withheld: "Taken down by whoever runs this server",
    forged: "It does not open: it was changed, or made with another key",
  },
  whatToDo: "Have you still got the originals? Add them again, and they are " +
    "put back. Save the report first: it proves what was promised.",
  report: "Save a report",
  reportHint: "A file that says of each photo what is proven. With the " +
    "receipts in it, it convinces others too.",
  withReceipts: "with every receipt",
  badges: {
    unverified: "Not checked on this device yet",
    receipted: "The server signed for it",
    confirmed: "The server has it",
    read_back: "Compared, and unchanged",
    missing: "The server has lost it",
    damaged: "It was changed at the server",
  },
  receiptsOf: "Receipts",
  receipt: (seq: number, when: string) =>
    `No. ${seq.toLocaleString("en")}, ${when}`,
};
