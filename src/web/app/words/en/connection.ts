/** What plain http means, and what to do about it. */
export const connection = {
  title: "This connection is not encrypted",
  intro: "The address in your browser begins with http://. Other devices in " +
    "this network, and the people who run the network, can read and " +
    "change what your browser sends and receives.",
  canTitle: "What somebody in this network can do",
  can: [
    "Read your password when you sign in, and use your account with " +
    "it: see how much you store and when, and delete it.",
    "Change this app while it loads, so that it gives away your key " +
    "and, with it, your photos.",
  ],
  cannotTitle: "What they cannot do",
  cannot: [
    "See your photos just by listening. They are encrypted before they " +
    "leave this device.",
    "Open your photos with the password alone. They also need your key.",
  ],
  onlyHere: "This address works only on this computer.",
  onlyHereMore: "How others can reach it",
  otherOrigin: (origin: string) =>
    `The server says that others reach it at ${origin}.`,
  otherOriginMore: "Use that address in links",
  reachTitle: "This address works only on this computer",
  reachIntro:
    "To open strongroom on other devices, and to give links to others, " +
    "you need an address that they can reach.",
  reachLan:
    "For devices in your own network, let the server listen there and " +
    "tell it this computer's address in the network:",
  reachNext: "With such an http address, others in the network could read " +
    "along. With a name and a certificate, nobody can.",
  doTitle: "What the person who runs this server can do",
  doProxy: "Put a proxy with a certificate in front. With Caddy, these lines " +
    "are enough. Caddy gets the certificate by itself if the name is " +
    "public:",
  doBase: "Then tell the server the address that people use:",
  doFiles: "Or let strongroom serve https itself, with a certificate in two " +
    "files:",
  more:
    "The page “Listening, with TLS and without” of the documentation says " +
    "the rest. Afterwards everybody opens the new address, which begins with " +
    "https://, and changes their password once.",
};
