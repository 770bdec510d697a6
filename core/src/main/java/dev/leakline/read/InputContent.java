package dev.leakline.read;

/** What a file turned out to hold. */
public sealed interface InputContent permits SnapshotFile, HoldersFile, ReportFile, MeasurementsFile {}
