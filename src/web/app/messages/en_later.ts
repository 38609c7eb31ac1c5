// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import abroad from "./en/abroad.json" with { type: "json" };
import albums from "./en/albums.json" with { type: "json" };
import connection from "./en/connection.json" with { type: "json" };
import editing from "./en/editing.json" with { type: "json" };
import entry from "./en/entry.json" with { type: "json" };
import faces from "./en/faces.json" with { type: "json" };
import filling from "./en/filling.json" with { type: "json" };
import films from "./en/films.json" with { type: "json" };
import form from "./en/form.json" with { type: "json" };
import guest from "./en/guest.json" with { type: "json" };
import hiding from "./en/hiding.json" with { type: "json" };
import imports from "./en/imports.json" with { type: "json" };
import keys from "./en/keys.json" with { type: "json" };
import lightbox from "./en/lightbox.json" with { type: "json" };
import link from "./en/link.json" with { type: "json" };
import map from "./en/map.json" with { type: "json" };
import memories from "./en/memories.json" with { type: "json" };
import operator from "./en/operator.json" with { type: "json" };
import phone from "./en/phone.json" with { type: "json" };
import pictureFrame from "./en/pictureFrame.json" with { type: "json" };
import pictureText from "./en/pictureText.json" with { type: "json" };
import prove from "./en/prove.json" with { type: "json" };
import remarks from "./en/remarks.json" with { type: "json" };
import safety from "./en/safety.json" with { type: "json" };
import saving from "./en/saving.json" with { type: "json" };
import search from "./en/search.json" with { type: "json" };
import secrets from "./en/secrets.json" with { type: "json" };
import settings from "./en/settings.json" with { type: "json" };
import shared from "./en/shared.json" with { type: "json" };
import sharing from "./en/sharing.json" with { type: "json" };
import similar from "./en/similar.json" with { type: "json" };
import slideshow from "./en/slideshow.json" with { type: "json" };
import sphere from "./en/sphere.json" with { type: "json" };
import stacks from "./en/stacks.json" with { type: "json" };
import things from "./en/things.json" with { type: "json" };
import trash from "./en/trash.json" with { type: "json" };
import upload from "./en/upload.json" with { type: "json" };

export const texts = {
  abroad,
  albums,
  connection,
  editing,
  entry,
  faces,
  filling,
  films,
  form,
  guest,
  hiding,
  imports,
  keys,
  lightbox,
  link,
  map,
  memories,
  operator,
  phone,
  pictureFrame,
  pictureText,
  prove,
  remarks,
  safety,
  saving,
  search,
  secrets,
  settings,
  shared,
  sharing,
  similar,
  slideshow,
  sphere,
  stacks,
  things,
  trash,
  upload,
};
