document.title = "Shared files";
