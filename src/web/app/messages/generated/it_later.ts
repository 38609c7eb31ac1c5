// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import albums from "../it/albums.json" with { type: "json" };
import connection from "../it/connection.json" with { type: "json" };
import editing from "../it/editing.json" with { type: "json" };
import entry from "../it/entry.json" with { type: "json" };
import faces from "../it/faces.json" with { type: "json" };
import films from "../it/films.json" with { type: "json" };
import form from "../it/form.json" with { type: "json" };
import guest from "../it/guest.json" with { type: "json" };
import imports from "../it/imports.json" with { type: "json" };
import keys from "../it/keys.json" with { type: "json" };
import lightbox from "../it/lightbox.json" with { type: "json" };
import link from "../it/link.json" with { type: "json" };
import map from "../it/map.json" with { type: "json" };
import meaning from "../it/meaning.json" with { type: "json" };
import memories from "../it/memories.json" with { type: "json" };
import operator from "../it/operator.json" with { type: "json" };
import phone from "../it/phone.json" with { type: "json" };
import pictureFrame from "../it/pictureFrame.json" with { type: "json" };
import prove from "../it/prove.json" with { type: "json" };
import safety from "../it/safety.json" with { type: "json" };
import saving from "../it/saving.json" with { type: "json" };
import search from "../it/search.json" with { type: "json" };
import secrets from "../it/secrets.json" with { type: "json" };
import settings from "../it/settings.json" with { type: "json" };
import shared from "../it/shared.json" with { type: "json" };
import sharing from "../it/sharing.json" with { type: "json" };
import similar from "../it/similar.json" with { type: "json" };
import slideshow from "../it/slideshow.json" with { type: "json" };
import sphere from "../it/sphere.json" with { type: "json" };
import stacks from "../it/stacks.json" with { type: "json" };
import things from "../it/things.json" with { type: "json" };
import trash from "../it/trash.json" with { type: "json" };
import upload from "../it/upload.json" with { type: "json" };
import words from "../it/words.json" with { type: "json" };

export const texts = {
  albums,
  connection,
  editing,
  entry,
  faces,
  films,
  form,
  guest,
  imports,
  keys,
  lightbox,
  link,
  map,
  meaning,
  memories,
  operator,
  phone,
  pictureFrame,
  prove,
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
  words,
};
