/** What plain http means, and what to do about it. */
export const connection = {
  title: "This connection is not encrypted",
  intro: "The address in your browser begins with http://, so what it sends " +
    "and gets can be read and changed on the way: by other devices in this " +
    "network, and by whoever runs it.",
  canTitle: "What somebody in this network can do",
  can: [
    "Read your password when you sign in, and use your account with it: see " +
    "how much you keep and when, and delete it.",
    "Change this program while it loads, so that it gives away your key and " +
    "with it your photos.",
  ],
  cannotTitle: "What they cannot do",
  cannot: [
    "Look at your photos by listening alone. They are encrypted before they " +
    "leave this device.",
    "Open your photos with the password alone. That takes your key.",
  ],
  onlyHere: "This address opens only on this computer.",
  onlyHereMore: "How others can reach it",
  otherOrigin: (origin: string) =>
    `The server says that others reach it at ${origin}.`,
  otherOriginMore: "Use that address in links",
  reachTitle: "This address opens only on this computer",
  reachIntro: "To let other devices in, and to give links to others, the " +
    "server needs an address that they can reach.",
  reachLan: "For the devices in your own network, let it listen there, and " +
    "tell it this computer's address in the network:",
  reachNext: "Others on the same network could read along on such an http " +
    "address. With a name and a certificate nobody can.",
  doTitle: "What whoever runs this server can do",
  doProxy: "Put a proxy with a certificate in front. With Caddy these lines " +
    "are all, and it gets the certificate by itself where the name is public:",
  doBase: "Then tell the server the address that people use:",
  doFiles: "Or let the server do it itself, with a certificate in two files:",
  more:
    "The page “Listening, with TLS and without” of the documentation says " +
    "the rest. Afterwards everybody opens the new address, which begins with " +
    "https://, and changes their password once.",
};
