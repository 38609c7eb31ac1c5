/** The account, and this browser. */
export const settings = {
  title: "Settings",
  language: "Language",
  lockFirst: "Choose an unlock phrase first",
  lockFirstWhy: "It is what opens your photos in this browser again. Without " +
    "one, whoever can use this browser could open them too.",
  signOutWithout: "Sign out without your words?",
  signOutWithoutWhy: "Your 24 words are not written down, and no phrase is " +
    "kept. If your photos are open on no other device, signing out here " +
    "loses them.",
};
