/** The page of an upload link. */

function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export const guest = {
  title: "Send photos",
  asks: "Message from the person who sent you the link",
  takes: (files: number, size: string, until: string) =>
    `Up to ${count(files, "file")} and ${size} in all, until ${until}.`,
  choosePhotos: "Choose photos",
  choose: "Other files",
  folder: "A whole folder",
  camera: "Take a photo",
  dropHint: "Drop photos, videos and other files here, or paste them.",
  drop: "Drop to send",
  files: "Files to send",
  sending: (n: number) => `Sending ${count(n, "file")}`,
  arrived: (n: number) =>
    `${count(n, "file has", "files have")} arrived. You may close this page.`,
  arrivedSome: (n: number, not: number) =>
    `${count(n, "file has", "files have")} arrived, ${not} not.`,
  knownOnly: (n: number) =>
    `${count(n, "file was", "files were")} sent already. You may close this ` +
    "page.",
  checked: "being checked by the server",
  progressOf: (name: string) => `Progress of ${name}`,
  again: (name: string) => `Try again: ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
  remove: (name: string) => `Remove ${name}`,
  states: {
    waiting: "waiting its turn",
    preparing: "getting ready",
    sending: "being sent",
    kept: "arrived",
    known: "the same was sent already",
    back: "arrived",
    failed: "",
  },
  halts: {
    paused: "Paused.",
    offline: "No connection. It goes on by itself as soon as there is one.",
    full: "Whoever asks for the files has no room left. Tell them; then go on.",
    lying: "The server's receipt is not right, so nothing more is sent. Tell " +
      "the person who sent you the link.",
  },
  offline: (seconds: number) =>
    `No connection, or a busy server. Trying again in ${
      count(seconds, "second")
    }.`,
  noMoreFiles: (n: number) =>
    `The link takes no more than ${count(n, "file")}.`,
  tooBig: (left: string) => `Too big: the link has ${left} left.`,
  changed: "The file was changed while it was being sent. Choose it again.",
  unreadable: "Your browser cannot read this file any more. Choose it again.",
  noLink: "This link is not whole: something is missing from its address, " +
    "or was added to it. Ask for the link again.",
  noKey: "This link is not complete: its last part is missing. Ask " +
    "for the whole link.",
  badKey: "This link is damaged: its last part is not whole. Ask " +
    "for the link again.",
  wrongKey: "The server gave another recipient's key than this link was made " +
    "for. Nothing was sent. Ask the person who sent you the link.",
  ended: "This link does not exist, or it has ended.",
  usedUp: "This link takes no more: it is used up.",
  foot:
    "Files are encrypted in your browser, names included. Only the person " +
    "who sent you this link can open them, not the server.",
  codes: {
    "error.upload_link.exhausted": "The link takes no more: it is used up.",
    "error.upload_link.not_found": "The link has ended.",
    "error.upload.not_found":
      "That took too long, and what was sent is gone. " +
      "Try again.",
    "error.upload.hash_mismatch": "It did not arrive as it was sent. Try " +
      "again.",
    "error.upload.incomplete": "It did not arrive whole. Try again.",
    "error.request.too_large": "The server does not take a file this big.",
    "error.storage.full": "The server has no room left.",
    "error.storage.quota_exceeded": "Whoever asks for the files has no room " +
      "left.",
  } as Readonly<Record<string, string>>,
};
