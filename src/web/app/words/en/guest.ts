/** The page of an upload link. */

function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export const guest = {
  title: "Send photos",
  asks: "Message from the person who sent you the link",
  takes: (files: number, size: string, until: string) =>
    `Up to ${count(files, "file")} and ${size} in total, until ` +
    `${until}.`,
  choosePhotos: "Choose photos",
  choose: "Other files",
  folder: "A whole folder",
  camera: "Take a photo",
  dropHint: "Drop photos, videos and other files here, or paste them.",
  drop: "Drop to send",
  files: "Files to send",
  sending: (n: number) => `Sending ${count(n, "file")}`,
  arrived: (n: number) =>
    `${count(n, "file has", "files have")} arrived. You can close this ` +
    "page.",
  arrivedSome: (n: number, not: number) =>
    `${count(n, "file has", "files have")} arrived. ${not} did not.`,
  knownOnly: (n: number) =>
    `${count(n, "file was", "files were")} already sent. You can close ` +
    "this page.",
  checked: "being checked by the server",
  progressOf: (name: string) => `Progress of ${name}`,
  again: (name: string) => `Try again: ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
  remove: (name: string) => `Remove ${name}`,
  states: {
    waiting: "waiting",
    preparing: "getting ready",
    sending: "sending",
    handed: "sending",
    kept: "arrived",
    known: "already sent",
    back: "arrived",
    failed: "",
  },
  halts: {
    paused: "Paused.",
    offline: "No connection. Sending continues automatically.",
    full: "The storage of the person who asks for the files is full. Tell " +
      "them, then resume.",
    lying: "The server's receipt is not valid, so nothing more is sent. Tell " +
      "the person who sent you the link.",
  },
  offline: (seconds: number) =>
    `No connection, or a busy server. Trying again in ${
      count(seconds, "second")
    }.`,
  noMoreFiles: (n: number) => `This link takes at most ${count(n, "file")}.`,
  tooBig: (left: string) => `Too big: this link has room for ${left}.`,
  changed: "The file was changed while it was being sent. Choose it again.",
  unreadable: "Your browser can no longer read this file. Choose it again.",
  noLink: "This link is wrong: something is missing from its address, or was " +
    "added to it. Ask for the link again.",
  noKey: "This link is incomplete: its last part is missing. Ask for the " +
    "whole link.",
  badKey: "This link is damaged: its last part is incomplete or was changed. " +
    "Ask for the link again.",
  wrongKey: "The server named another recipient than this link was made for. " +
    "Nothing was sent. Ask the person who sent you the link.",
  ended: "This link does not exist, or it has ended.",
  usedUp: "This link is used up and takes no more files.",
  foot:
    "Files are encrypted in your browser, names included. Only the person " +
    "who sent you this link can open them, not the server.",
  codes: {
    "error.upload_link.exhausted":
      "This link is used up and takes no more files.",
    "error.upload_link.not_found": "The link has ended.",
    "error.upload.not_found":
      "The upload took too long and was discarded. Try again.",
    "error.upload.hash_mismatch": "The file was changed on the way. Try again.",
    "error.upload.incomplete": "The file did not arrive completely. Try again.",
    "error.request.too_large": "The file is too big for the server.",
    "error.storage.full": "The server's storage is full.",
    "error.storage.quota_exceeded":
      "The storage of the person who asks for the files is full.",
  } as Readonly<Record<string, string>>,
};
