function files(n: number): string {
  return `${n.toLocaleString("en")} ${n === 1 ? "file" : "files"}`;
}

/** The page about a person's own phone. */
export const phone = {
  came: "From your phone",
  waits: (n: number, since: string) =>
    `${n === 1 ? "1 file waits" : `${files(n)} wait`} to be added, the ` +
    `oldest since ${since}. strongroom adds them while it is open on one of ` +
    "your devices.",
  waitsNone: "Nothing is waiting.",
  last: (when: string) => `This browser last added something on ${when}.`,
  lastNone: "This browser has not added anything from your phone yet.",
  inAll: (n: number) => `${files(n)} sent in all`,
  ends: (day: string) => `takes photos until ${day}`,
  ended: (day: string) => `ended on ${day}`,
  renew:
    "A link lives for 90 days at most. Make a new one below in time, and " +
    "hand it to the computer that receives:",

  truth: "What comes by itself",
  truthWhy: "No browser lets a website look for new photos while it is " +
    "closed. So nothing comes from a phone by itself, unless an app on the " +
    "phone sends it.",
  systems: {
    ios: "iPhone and iPad",
    android: "Android",
    desk: "Computer",
  },
  facts: {
    ios: [
      "By itself: nothing without another app. Apps that send new photos to " +
      "a WebDAV server can, see below.",
      "By hand: press + and choose photos. A live photo comes without its " +
      "video that way.",
      "Safari does not show websites when you press Share in Photos.",
      "On the home screen: press Share in Safari, then Add to Home Screen. " +
      "Otherwise Safari may delete your key when you do not visit for a week.",
    ],
    android: [
      "By itself: nothing without another app. Apps that send new photos to " +
      "a WebDAV server can, see below.",
      "By hand: press + and choose photos.",
      "Once strongroom is installed, press Share in another app and choose " +
      "strongroom.",
      "To install, open the browser's menu and choose Install app or Add to " +
      "Home screen.",
    ],
    desk: [
      "By hand: drop photos and folders anywhere on this page.",
      "By itself: the command line sends what is new in a folder.",
    ],
  },
  watch: "strongroom push --watch FOLDER",
  install: "Install strongroom",
  installWhy: "It then has its own icon and window.",
  installAsk: "Install strongroom as an app?",
  installed: "strongroom is installed here.",

  set: "Let photos come by themselves",
  setWhy: "strongroom receive takes photos from apps by WebDAV. It encrypts " +
    "each one for you as it arrives, and cannot open any of them.",
  needs: "You need a computer that is on when the phone sends, with " +
    "strongroom and https: your server, or a small one at home.",
  makeFirst: "1. Make a link for your phone",
  makeWhy:
    "Whatever is sent by this link goes into your library without asking. " +
    "Keep it to yourself.",
  make: "Make the link",
  note: "My phone",
  again: "Make another link",
  runFirst: "2. Run this on that computer",
  runWhy: "With a certificate for its name:",
  addWhy: "Then add your phone, in another window:",
  enterFirst: "3. Type into the app what that shows",
  enterWhy:
    "It shows an address, a name and a password, and with --qr a code " +
    "to scan. FolderSync and Round Sync (Android) and PhotoSync (iPhone, " +
    "Android) send to WebDAV. We have not tried them on a phone; rclone, " +
    "curl and davfs2 work.",
  afterFirst: "4. Open strongroom now and then",
  afterWhy: "What was sent waits for 30 days until one of your devices adds " +
    "it: strongroom in a browser, or strongroom sync from a timer.",
  keeps: "strongroom deletes nothing on your phone. Leave it off in the app, " +
    "too: that a file was received does not prove that it is in your library.",
};
