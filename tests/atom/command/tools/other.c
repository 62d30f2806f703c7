char *other() {
    return "linked";
}
